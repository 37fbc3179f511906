# How k6 is called, see argv.jq.
include "argv-common";
include "profile";

def _load($seconds):
  ["-e", (if .model == "open" then "rate" else "vus" end) + "=\(.level)"]
  + (if .requests then ["-e", "requests=\(.requests)"] else [] end)
  + (if .users then ["-e", "vus=\(.users)"] else [] end)
  + (if .think_s then ["-e", "think=\(1000 * .think_s | round)ms"] else [] end)
  + profile_args($seconds);

# Somebody's own script takes what it must not show, such as a token, from the environment.
def _quiet:
  ["bin/k6", "run", "--quiet", "--no-usage-report", "--summary-mode=disabled", "--no-thresholds", "--address", "",
    "--include-system-env-vars=\(.script != null)", "-e", "BASE_URL={base_url}"];

# What k6 runs: a script of ours, or one of somebody's own.
def _script:
  if .script then
    ["-e", "script=\(.script.path)"]
    + (if .script.exec then ["-e", "exec=\(.script.exec)"] else [] end)
    + (if .script.only then ["-e", "only=\(.script.only)"] else [] end)
    + ["k6/own/main.js"]
  else ["k6/\(.workload).js"] end;

# The bounds of k6's execution segments.
def _bound($i; $of): if $i == 0 then "0" elif $i == $of then "1" else "\($i)/\($of)" end;

# k6 divides its own load; what each generator is told besides is which one it is.
def _segment:
  if .generator then
    .generator as {$number, $of}
    | ["--execution-segment", "\(_bound($number - 1; $of)):\(_bound($number; $of))",
      "--execution-segment-sequence", ([range($of + 1) | _bound(.; $of)] | join(",")),
      "-e", "generator=\($number)/\($of)"]
  else [] end;

# Of several generators k6 itself awaits the beginning.
def _out:
  if .generator then
    ["-e", "begin={begin}", "--out", "hdr={cell}/raw.k6.\(.generator.number).ndjson,begin={begin}"]
  else ["--out", "hdr={cell}/raw.k6.ndjson"] end;

# As driven, the load has a lead-in, a ramp where that is its profile, and a slow answer that is under way when the time
# is over has a minute to come. A fixed number of requests has a warm-up of its own.
def _driven($args):
  _quiet + _load(.duration_s)
  + (if .profile == "ramp" or .requests then [] else ["-e", "lead_in=\(.warmup_s)s"] end)
  + ["-e", "graceful=60s", "-e", "answers={cell}/answers.tsv"] + _segment + _out + $args + _script;

# What a warm-up does not write: files of k6 in the cell's folder.
def _without_files:
  def is_file: startswith("out={cell}/");
  . as $args
  | [range(length) | select($args[.] | is_file | not)
      | select($args[.] != "-e" or ($args[. + 1] // "" | is_file | not)) | $args[.]];

def _warmup($args): _quiet + (del(.requests) | _load(.warmup_s)) + ($args | _without_files) + _script;

# The scripts know the usual port themselves.
def _by_hand($args):
  ["bin/k6", "run"] + (url_by_hand | if . then ["-e", "BASE_URL=\(.)"] else [] end) + _load(.duration_s)
  + (if .generator then ["--address", ""] else [] end) + $args + _segment + _script;

# input and output: as commands of argv.jq
def commands($args; $cores):
  {argv: _driven($args), warmup_argv: (if .requests then _warmup($args) else null end), spot_argv: null,
   by_hand: _by_hand($args)};
