# How the users of a cell come and go. Unless it says otherwise the level is there throughout; "profile": "ramp" brings
# k6's users one by one over warmup_s, keeps them for duration_s, which is what is measured, and sends them away over
# warmup_s again, both less half a second. Probes of a capacity have "gentle" and "overload" (k6/lib/options.js).

# input: a cell   output: for how many seconds its load runs
def load_s: .duration_s + .warmup_s * if .profile == "ramp" then 2 else 1 end;

# input: a cell   output: what its profile adds to it, in a plan
def profile_key: if .profile == "ramp" then {profile} else {} end;

# The last user of a ramp is there so long before the window, which opens when all have had an answer.
def _settle_ms: 500;

# input: a cell of k6   output: arguments of k6 that say how its users come and go, and for how many seconds they stay
def profile_args($seconds):
  if .profile == "ramp" then
    ["-e", "profile=ramp", "-e", "ramp=\(1000 * .warmup_s - _settle_ms)ms",
      "-e", "duration=\(1000 * $seconds + _settle_ms)ms"]
  else (if .profile then ["-e", "profile=\(.profile)"] else [] end) + ["-e", "duration=\($seconds)s"] end;
