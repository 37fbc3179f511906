# input: a target
# output: the environment of its processes in a variant; SETTINGS names what both set, so that a target can refuse what
# it does not read
def environment_in($variant): (.env // {}) + $variant.env | . + {SETTINGS: (keys | join(" "))};
