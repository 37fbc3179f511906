# How wrk is called, see argv.jq.
include "argv-common";

# input and output: as commands of argv.jq
def commands($args; $cores):
  def wrk($seconds; $options):
    ["wrk", "-t\(threads(.level; $cores))", "-c\(.level)", "-d\($seconds)s"] + $options
    + ["-s", "wrk/\(.workload).lua"] + $args;
  part_of_load
  | (if .generator then ["generator=\(.generator.number)"] else [] end) as $number
  | (url_by_hand // "http://127.0.0.1:3000" | split_url) as {$origin, $prefix}
  | {argv: (begin + wrk(.duration_s; ["--timeout", "30s", "--latency"])
       + ["{origin}", "connections=\(.level)", "prefix={prefix}"] + $number),
     warmup_argv: (wrk(.warmup_s; ["--timeout", "30s"]) + ["{origin}", "prefix={prefix}"]),
     spot_argv: (spot_checks([]) + headers($args)),
     by_hand: (wrk(.duration_s; ["--latency"])
       + [$origin] + (if $prefix == "" then [] else ["prefix=\($prefix)"] end) + $number)};
