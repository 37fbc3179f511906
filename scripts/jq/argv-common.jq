# What the commands of several load tools have in common. Of a cell that is the part of one of several generators,
# `generator` is {number, of}.

# output: how many threads a tool is given: as many as there are cores at most, that share its users evenly
def threads($level; $cores): first(range([$level, $cores] | min; 0; -1) | select($level % . == 0));

# input: a number of things   output: how many of them generator $number of $of has
def _part_of($number; $of): (. / $of | floor) + if $number <= . % $of then 1 else 0 end;

# Of generators: further than those of blocks and warm-ups.
def _seeds_apart: 2000000;

# input: a cell, which may be one generator's   output: the same with its part of the users, and a seed of its own
def part_of_load:
  if .generator then
    .generator as {$number, $of} | .level |= _part_of($number; $of) | .block |= . + _seeds_apart * ($number - 1)
  else . end;

# input: a cell   output: what goes before the command of one of several generators, so that it begins when all do
def begin:
  if .generator then ["scripts/generators/begin.sh", "{begin}", "{cell}/began.\(.generator.number)"] else [] end;

# output: whether the connection is to be closed after each answer, by an argument of wrk or ab
def closes($args): any($args[]; test("^connection: *close$"; "i"));

# output: the headers among arguments of wrk or ab, as curl takes them
def headers($args): [range($args | length) | select($args[.] == "-H") | $args[.:. + 2][]];

# input: a cell   $path: arguments that say what is asked
# output: what looks at a few bodies while a tool runs that looks at none. A fixed number of requests takes as long as
# it takes: run-cell says when it is over.
def spot_checks($path):
  ["scripts/probes/spot-checks.sh"] + (if .requests then ["--until", "{cell}/over"] else [] end)
  + $path + ["{cell}/answers.tsv", if .requests then "1" else "\(.duration_s)" end];

# Where scripts/stack.sh brings something up.
def _local($variable; $usual): "http://127.0.0.1:\($ENV[$variable] // $usual)";

# input: a cell
# output: where its target is when it was brought up by hand, or null, which is the usual port. A server that was there
# before is at $ENV.EXTERNAL_URL, the null responder beside the target.
def url_by_hand:
  {external: $ENV.EXTERNAL_URL, "null": _local("NULL_PORT"; "3001")}[.target]
  // (_local("TARGET_PORT"; "3000") | select(endswith(":3000") | not)) // null;

# input: a URL   output: {origin, prefix}: what a tool connects to, and what goes before each path
def split_url: capture("^(?<origin>[a-z]+://[^/]+)(?<prefix>.*?)/*$");
