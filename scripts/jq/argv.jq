# What the driver runs for a cell, and what a person pastes. In argv, {cell} stands for the cell's folder and {base_url}
# for the target's address, {origin} and {prefix} for its parts, {begin} for the instant at which several generators
# begin: the plan names no host and no time, and run-cell fills all in.

include "profile";

def _threads($level; $cores): first(range([$level, $cores] | min; 0; -1) | select($level % . == 0));

def _k6_load($seconds):
  ["-e", (if .model == "open" then "rate" else "vus" end) + "=\(.level)"]
  + (if .requests then ["-e", "requests=\(.requests)"] else [] end)
  + (if .users then ["-e", "vus=\(.users)"] else [] end)
  + (if .think_s then ["-e", "think=\(1000 * .think_s | round)ms"] else [] end)
  + profile_args($seconds);

# Somebody's own script takes what it must not show, such as a token, from the environment.
def _k6_quiet:
  ["bin/k6", "run", "--quiet", "--no-usage-report", "--summary-mode=disabled", "--no-thresholds", "--address", "",
    "--include-system-env-vars=\(.script != null)", "-e", "BASE_URL={base_url}"];

# What k6 runs: a script of ours, or one of somebody's own.
def _k6_script:
  if .script then
    ["-e", "script=\(.script.path)"]
    + (if .script.exec then ["-e", "exec=\(.script.exec)"] else [] end)
    + (if .script.only then ["-e", "only=\(.script.only)"] else [] end)
    + ["k6/own/main.js"]
  else ["k6/\(.workload).js"] end;

# As driven, the load has a lead-in, a ramp where that is its profile, and a slow answer that is under way when the time
# is over has a minute to come. A fixed number of requests has a warm-up of its own.
def _k6_driven: _k6_quiet + _k6_load(.duration_s)
  + (if .profile == "ramp" or .requests then [] else ["-e", "lead_in=\(.warmup_s)s"] end)
  + ["-e", "graceful=60s", "-e", "answers={cell}/answers.tsv"];

# pgbench's builtin scripts by workload; simple-update is tpcb without the rows that all clients fight for.
def _builtin: {"tpcb": "tpcb-like", "simple-update": "simple-update", "select-only": "select-only"};

def _pgbench_script:
  if _builtin[.workload] then ["-b", _builtin[.workload]] else ["-f", "pgbench/\(.workload).sql"] end;

# A thread of pgbench opens its clients' connections one after another; to open one for each transaction (-C), each
# client has its own thread.
def _pgbench($args; $seconds; $seed; $cores):
  (if $args | index(["-C"]) then .level else _threads(.level; $cores) end) as $threads
  | ["pgbench", "-n", "-c", "\(.level)", "-j", "\($threads)", "-T", "\($seconds)", "--random-seed=\($seed)"]
  + _pgbench_script;

# Every transaction is a line of the log. Of a long trial a tenth is enough, unless connecting is to be seen between
# them.
def _sampled($args): .duration_s > 60 and ($args | index(["-C"]) | not);

# As driven, the load has a lead-in, and goes on for a second more: pgbench's time counts connecting, which comes
# before. A sample tells nothing of a window, so it has a warm-up of its own.
def _pgbench_driven($args; $cores):
  _pgbench($args; if _sampled($args) then .duration_s else load_s + 1 end; .block; $cores)
  + ["-l", "--log-prefix={cell}/raw.pgbench"] + if _sampled($args) then ["--sampling-rate=0.1"] else [] end;

# What a warm-up does not write: files of k6 in the cell's folder.
def _without_files:
  def is_file: startswith("out={cell}/");
  . as $args
  | [range(length) | select($args[.] | is_file | not)
      | select($args[.] != "-e" or ($args[. + 1] // "" | is_file | not)) | $args[.]];

# The warm-up draws other numbers than the trial: it must not read the very rows beforehand.
def _warmup_seed: 1000000 + .block;

# Where the connection is to be closed after each answer, by an argument of wrk and ab.
def _closes($args): any($args[]; test("^connection: *close$"; "i"));

# ab needs a number of requests beside a time: without one it stops at 50,000. It sets aside 40 bytes for each, and
# takes those that it uses; its one thread made 80,000 a second of a responder that does nothing.
def _ab_load($seconds):
  if .requests then ["-n", "\(.requests)"]
  else ["-t", "\($seconds)", "-n", "\([200000 * $seconds, 100000000] | min)"] end
  + ["-c", "\(.level)"];

def _ab($args; $seconds): ["ab"] + (if _closes($args) then [] else ["-k"] end) + _ab_load($seconds);

# As driven, ab counts failed requests and goes on (-r), and says nothing meanwhile (-q).
def _ab_driven($args; $seconds): _ab($args; $seconds) + ["-q", "-r", "-s", "30"];

# input: a cell with tool, workload, model, level, duration_s, warmup_s; requests where it makes so many; of ab path
# output: argv, an array of strings
def cell_argv($args; $cores):
  if .tool == "k6" then
    _k6_driven + ["--out", "hdr={cell}/raw.k6.ndjson"] + $args + _k6_script
  elif .tool == "wrk" then
    ["wrk", "-t\(_threads(.level; $cores))", "-c\(.level)", "-d\(.duration_s)s", "--timeout", "30s", "--latency",
      "-s", "wrk/\(.workload).lua"]
    + $args + ["{origin}", "connections=\(.level)", "prefix={prefix}"]
  elif .tool == "ab" then
    _ab_driven($args; .duration_s)
    + ["-e", "{cell}/raw.ab.percentiles.csv", "-g", "{cell}/raw.ab.requests.tsv"]
    + $args + ["{origin}{prefix}\(.path)"]
  else
    _pgbench_driven($args; $cores) + $args
  end;

# input: a number of things   output: how many of them generator $i of $of has, counted from 0
def _part_of($i; $of): (. / $of | floor) + if $i < . % $of then 1 else 0 end;

# Of generators: further than those of blocks and warm-ups.
def _seeds_apart: 2000000;

# The bounds of k6's execution segments.
def _bound($i; $of): if $i == 0 then "0" elif $i == $of then "1" else "\($i)/\($of)" end;

# k6 divides its own load; what each generator is told besides is which one it is.
def _k6_segment($i; $of):
  ["--execution-segment", "\(_bound($i; $of)):\(_bound($i + 1; $of))",
    "--execution-segment-sequence", ([range($of + 1) | _bound(.; $of)] | join(",")),
   "-e", "generator=\($i + 1)/\($of)"];

# input: a cell with as many generators   output: the argv of each: together they make the load that one would
def generator_argvs($args; $cores):
  . as $cell | .generators as $of
  | ([$cores / $of | floor, 1] | max) as $cores
  | [range($of) as $i
     | $cell | if .tool != "k6" then .level |= _part_of($i; $of) else . end
     | ["scripts/generators/begin.sh", "{begin}", "{cell}/began.\($i + 1)"] as $begin
     | if .tool == "k6" then
         _k6_driven + _k6_segment($i; $of) + ["-e", "begin={begin}"]
         + ["--out", "hdr={cell}/raw.k6.\($i + 1).ndjson,begin={begin}"] + $args + _k6_script
       elif .tool == "wrk" then $begin + cell_argv($args; $cores) + ["generator=\($i + 1)"]
       else .block |= . + _seeds_apart * $i
         | $begin + (cell_argv($args; $cores) | map(sub("raw[.]pgbench$"; "raw.pgbench-\($i + 1)"))) end];

# input: as cell_argv
# output: the same load for warmup_s seconds, leaving no raw file; null where argv has a lead-in of its own
def warmup_argv($args; $cores):
  if (.tool == "k6" and (.requests | not)) or (.tool == "pgbench" and (_sampled($args) | not)) then null
  elif .tool == "k6" then _k6_quiet + (del(.requests) | _k6_load(.warmup_s)) + ($args | _without_files) + _k6_script
  elif .tool == "wrk" then
    ["wrk", "-t\(_threads(.level; $cores))", "-c\(.level)", "-d\(.warmup_s)s", "--timeout", "30s",
      "-s", "wrk/\(.workload).lua"]
    + $args + ["{origin}", "prefix={prefix}"]
  elif .tool == "ab" then del(.requests) | _ab_driven($args; .warmup_s) + $args + ["{origin}{prefix}\(.path)"]
  else _pgbench($args; .warmup_s; _warmup_seed; $cores) + $args end;

# How ab asks: HTTP/1.0, and the headers that it sends by itself.
def _as_ab($args):
  ["--http1.0", "-H", "User-Agent: ApacheBench/2.3", "-H", "Accept: */*"]
  + if _closes($args) then [] else ["-H", "Connection: Keep-Alive"] end;

# input: arguments of wrk or ab   output: the headers among them, as curl takes them
def _headers: . as $args | [range(length) | select($args[.] == "-H") | $args[.:. + 2][]];

# input: as cell_argv
# output: what looks at a few bodies while a tool runs that looks at none; null where the tool does. A fixed number of
# requests takes as long as it takes: run-cell says when it is over.
def spot_argv($args):
  def spot($path; $seconds):
    ["scripts/probes/spot-checks.sh"] + $seconds.until + $path + ["{cell}/answers.tsv", $seconds.seconds];
  (if .requests then {until: ["--until", "{cell}/over"], seconds: "1"}
   else {until: [], seconds: "\(.duration_s)"} end) as $seconds
  | if .tool == "wrk" then spot([]; $seconds) + ($args | _headers)
  elif .tool == "ab" then spot(["--path", .path]; $seconds) + _as_ab($args) + ($args | _headers)
  else null end;

# input: a URL   output: {origin, prefix}: what wrk connects to, and what goes before each path
def _split: capture("^(?<origin>[a-z]+://[^/]+)(?<prefix>.*?)/*$");

# input: argv   output: with the cell's folder, the target's address and the instant of the beginning filled in
def filled($cell; $base_url; $begin):
  ($base_url | _split // {origin: "", prefix: ""}) as $url
  | map(gsub("\\{cell\\}"; $cell) | gsub("\\{begin\\}"; $begin) | gsub("\\{base_url\\}"; $base_url)
      | gsub("\\{origin\\}"; $url.origin) | gsub("\\{prefix\\}"; $url.prefix)
    | select(. != "prefix="));
def filled($cell; $base_url): filled($cell; $base_url; "");

# input: an argument   output: as a shell wants it, quoted where it must be
def _quoted: if test("^[A-Za-z0-9_./:=%,+-]+$") then . else @sh end;

# Where scripts/stack.sh brings something up.
def _local($variable; $usual): "http://127.0.0.1:\($ENV[$variable] // $usual)";

# input: as cell_argv
# output: one line to paste into a shell while the target is up. A server that was there before is at $ENV.EXTERNAL_URL,
# the null responder beside the target. The scripts know the usual port themselves.
def _by_hand($args; $cores):
  {external: $ENV.EXTERNAL_URL, "null": _local("NULL_PORT"; "3001")} as $known
  | ($known[.target] // (_local("TARGET_PORT"; "3000") | select(endswith(":3000") | not)) // null) as $url
  | if .tool == "k6" then
    ["bin/k6", "run"] + (if $url then ["-e", "BASE_URL=\($url)"] else [] end)
    + _k6_load(.duration_s) + $args + _k6_script
  elif .tool == "wrk" then
    ["wrk", "-t\(_threads(.level; $cores))", "-c\(.level)", "-d\(.duration_s)s", "--latency",
      "-s", "wrk/\(.workload).lua"]
    + $args
    + ($url // "http://127.0.0.1:3000" | _split | [.origin] + if .prefix == "" then [] else ["prefix=\(.prefix)"] end)
  elif .tool == "ab" then
    _ab($args; .duration_s) + $args + ["\($url // "http://127.0.0.1:3000" | sub("/+$"; ""))\(.path)"]
  else _pgbench($args; .duration_s; .block; $cores) + $args end
  | map(gsub("\\{cell\\}/"; "") | _quoted) | join(" ");

# input: as cell_argv   output: the same of several generators, side by side in one line
def by_hand($args; $cores):
  . as $cell | .generators as $of
  | if $of == null then _by_hand($args; $cores)
    else [range($of) as $i | $cell
        | if .tool == "k6" then _by_hand(["--address", ""] + $args + _k6_segment($i; $of); $cores)
          else
            .level |= _part_of($i; $of) | .block |= . + _seeds_apart * $i
            | _by_hand($args; $cores) + if .tool == "wrk" then " generator=\($i + 1)" else "" end
          end]
      | join(" & ") + " & wait" end;
