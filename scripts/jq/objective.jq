# An objective such as "p95<50ms, errors<0.1%": what it asks for. scripts/analyse/capacity/objective.js says whether a
# trial meets it.

def _percentiles: ["p50", "p90", "p95", "p99", "p99.9"];
def _us: {us: 1, ms: 1e3, s: 1e6};
def _most: 4;
def _least_share: 0.0001;
def _longest_us: 60e6;

# Errors that an objective allows which names none: fast refusals are no answers.
def _errors: {metric: "error_share", limit: 0.01};

# input: how people write a metric   output: its key: p95_us, error_share
def _metric: if . == "errors" then "error_share" else gsub("\\."; "_") + "_us" end;

# input: the limit of a percentile, as written   output: microseconds; null where it is none
def _latency:
  (capture("^(?<value>[0-9]+([.][0-9]+)?) *(?<unit>us|ms|s)$") // null)
  | if . then (.value | tonumber) * _us[.unit] else null end;

# input: the limit of errors, as written   output: a share; null where it is none
def _share: (capture("^(?<value>[0-9]+([.][0-9]+)?) *%$") // null) | if . then (.value | tonumber) / 100 else null end;

# input: one part of an objective   output: {metric, limit} or {fault}
def _part:
  . as $text
  | (capture("^(?<name>[^<>= ]+) *< *(?<limit>[^<>=]+)$") // null) as $part
  | if $part == null then {fault: "write METRIC<LIMIT, such as p95<50ms, and a comma between several"}
    elif $part.name | IN((_percentiles + ["errors"])[]) | not then
      {fault: "\($part.name) is not known; there are \(_percentiles + ["errors"] | join(", "))"}
    elif $part.name == "errors" then ($part.limit | _share) as $limit
      | if $limit == null then {fault: "the limit of errors is a percentage, such as 0.1%"}
        elif $limit <= 0 or $limit >= 1 then {fault: "the limit must be above 0% and below 100%"}
        elif $limit < _least_share then
          {fault: "the limit must be 0.01% or more: to be sure of fewer errors takes more than 30,000 requests"}
        else {metric: ($part.name | _metric), $limit} end
    else ($part.limit | _latency) as $limit
      | if $limit == null then {fault: "the limit of \($part.name) is a number of us, ms or s, such as 50ms"}
        elif $limit <= 0 then {fault: "the limit must be above 0"}
        elif $limit > _longest_us then {fault: "the limit must be 60s or less: a probe is thirty times as long"}
        else {metric: ($part.name | _metric), $limit} end
    end
  | if .fault then .fault = "objective \($text | tojson): \(.fault)" else .text = $text end;

# input: an objective, as written
# output: {parts: [{metric, limit}]}: limit in microseconds, or a share, which each must stay below; or {fault: one
# line}
def objective:
  (if . == "" then [""] else split(",") end | map(gsub("^\\s+|\\s+$"; "") | _part)) as $parts
  | if $parts | length > _most then
    {fault: "objective \(tojson): it has \($parts | length) parts, and may have \(_most)"}
    else first($parts[] | select(.fault))
      // ($parts | group_by(.metric) | map(select(length > 1))
        | first(.[] | {fault: "objective \(.[1].text | tojson): this has a limit already"}))
      // {parts: ($parts | map(del(.text)))} end;

# input: a sound objective, as text
# output: {text, parts}, with a limit of errors: a target that answers nothing rightly holds no objective
def objective_with_errors: objective.parts as $parts
  | if any($parts[]; .metric == "error_share") then {text: ., parts: $parts}
    else {text: "\(.), errors<\(100 * _errors.limit)%", parts: ($parts + [_errors])} end;
