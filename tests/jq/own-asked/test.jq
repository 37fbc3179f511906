include "own";

# input: samples of three iterations, as k6's output json has them   output: what is said of each
map_values(asked(["http://s"]))
