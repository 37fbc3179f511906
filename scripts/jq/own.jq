# What k6 says of a script of somebody's own, and what it was answered.

# input: a threshold's expression, such as "p(95)<500"   $metric: what it is about   output: a part of an objective as people write it, or null
def _part($metric):
  gsub("\\s"; "") as $text
  | if $metric == "http_req_duration" then
      ($text | capture("^(?:p\\((?<p>50|90|95|99|99.9)\\)|(?<median>med))<(?<ms>[0-9]+(?:[.][0-9]+)?)$") // null)
      | if . then "p\(.p // "50")<\(.ms)ms" else null end
    elif $metric == "http_req_failed" then
      ($text | capture("^rate<(?<share>[0-9]*[.]?[0-9]+)$") // null) | if . then "errors<\(.share | tonumber * 100)%" else null end
    else null end;

# input: options of k6   output: [{metric, text, part}]: its thresholds; part: what an objective makes of it, or null
def _thresholds:
  [(.thresholds // {}) | to_entries[] | .key as $metric | .value[] | if type == "object" then .threshold else . end | {$metric, text: ., part: _part($metric)}];

# input: options of k6   $requests: of an iteration   output: {objective, unread}: what its thresholds say together, null where there are none, or one that an objective
# cannot say: that is unread. Percentiles of an objective are of whole iterations, those of k6 of single requests
def own_objective($requests):
  _thresholds as $all
  | first($all[] | select(.part == null) | "\(.metric) \(.text)") // first($all[] | select($requests > 1 and .metric == "http_req_duration") | "\(.metric) \(.text), of single requests, where an iteration makes \($requests)")
    // null
  | {objective: (if . != null or $all == [] then null else $all | map(.part) | join(", ") end), unread: .};

# input: options of k6   output: {exec}, or {fault}: what follows the script's name in one line
def own_script($scenario):
  (.scenarios // {}) as $scenarios
  | ($scenarios | keys | map(select(. != "default"))) as $names
  | if .hosts then {fault: "maps hosts to addresses (options.hosts): give --url the address itself"}
    elif $scenario != "" and ($scenarios | has($scenario) | not) then
      {fault: "has no scenario \($scenario)\(if $names == [] then "" else "; there are \($names | join(", "))" end)"}
    elif $scenario == "" and ($names | length) > 1 then {fault: "has the scenarios \($names | join(", ")): name one with --scenario"}
    else {exec: ($scenarios[if $scenario != "" then $scenario else $names[0] // "default" end].exec? // null)} end;

# Seconds of an iteration in which no request was under way, from which it pauses.
def _pause_s: 0.1;

# input: samples of k6's output json, of one iteration   $own: what addresses at the server begin with   output: {requests} of the iteration, or {fault}
def asked($own):
  map(select(.data.tags.group | IN("::setup", "::teardown") | not)) as $samples
  | ($samples | map(select(.metric == "http_reqs") | .data.tags)) as $iteration
  | def seconds($metrics): $samples | map(select(.metric | IN($metrics[])) | .data.value / 1000) | add // 0;
    (seconds(["iteration_duration"]) - seconds(["http_req_duration", "http_req_connecting", "http_req_tls_handshaking", "http_req_blocked"])) as $paused_s
  | (first($iteration[].url | select(. as $url | all($own[]; . != $url and (. as $prefix | $url | startswith($prefix + "/") or startswith($prefix + "?") | not)))) // null) as $other
  | if $other then {fault: "asks \($other | split("?")[0]), which is not at __ENV.BASE_URL: load goes to that server alone"}
    elif $paused_s > _pause_s then {fault: "pauses for about \($paused_s * 10 | round / 10) s in an iteration, which would count as waiting: leave sleep() out; --think has users pause between iterations"}
    else {requests: ($iteration | length)} end;

# input: answers of a recorder   $asked: of asked, and failed: checks that did   output: why the script cannot be measured, or null
def answers_fault($asked):
  map(select(.method != "OPTIONS"))
  | (first(.[] | .redirects_to | values) // null) as $other
  | if $other then "is sent on to \($other), which is another host: give that one with --url"
    elif $asked.fault then $asked.fault
    elif $asked.requests == 0 then "asks nothing at __ENV.BASE_URL: its addresses must begin with it, as in http.get(`${__ENV.BASE_URL}/orders`)"
    elif $asked.failed != "" then
      "finds a wrong answer when it is run once: \($asked.failed); answered were \(map("\(.method) \(.path | split("?")[0]) with \(.status)") | .[:5] | join(", "))"
    else null end;
