# Several load generators that share one load.

# input: a cell   $answer_s: how long its answers took when they were verified
# output: milliseconds from now to the instant at which they begin: so long they take at most to be ready, on two cores.
# k6 makes its users first, then each process asks in setup(), and they are in each other's way.
def lead_ms($answer_s):
  if .tool == "k6" then
    2500 + 500 * .generators + (if .model == "open" then 1000 else .level end | . * 5)
    + 2000 * $answer_s * .generators | ceil
  else 1000 + 100 * .generators end;

# input: lines "number asked told answered", times in microseconds
# output: of each of $of generators {offset_ms, error_ms}, or null
# The clock was read between question and answer, so its time is that of their middle, with half of the time between
# them as the error (Cristian, 1989).
def clock_offsets($of):
  [inputs | split(" ") | map(tonumber)
    | {number: .[0], offset_ms: ((.[2] - (.[1] + .[3]) / 2) / 1000), error_ms: ((.[3] - .[1]) / 2000)}] as $read
  | [range(1; $of + 1) as $number
    | [$read[] | select(.number == $number)] | min_by(.error_ms) | values |= {offset_ms, error_ms}];

# input: cores such as "2,3,6-7"   output: [2, 3, 6, 7]
def cores_of: [split(",")[] | select(. != "") | split("-") | map(tonumber) | range(.[0]; .[-1] + 1)];

# input: cores such as "2,3,6-7"
# output: those of generator $number of $of, in the same form; "" where there are fewer cores than generators
def slice($number; $of):
  cores_of as $cores
  | ($cores | length) as $n
  | if $n < $of then ""
    else [$cores[(($number - 1) * $n / $of | floor):($number * $n / $of | floor)][] | tostring] | join(",") end;
