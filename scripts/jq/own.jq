# What k6 says of a script of somebody's own, and what it was answered.

# input: a threshold's expression, such as "p(95)<500"   $metric: what it is about
# output: a part of an objective as people write it, or null
def _part($metric):
  gsub("\\s"; "") as $text
  | if $metric == "http_req_duration" then
      ($text | capture("^(?:p\\((?<p>50|90|95|99|99.9)\\)|(?<median>med))<(?<ms>[0-9]+(?:[.][0-9]+)?)$") // null)
      | if . then "p\(.p // "50")<\(.ms)ms" else null end
    elif $metric == "http_req_failed" then
      ($text | capture("^rate<(?<share>[0-9]*[.]?[0-9]+)$") // null)
      | if . then "errors<\(.share | tonumber * 100)%" else null end
    else null end;

# input: options of k6   output: [{metric, text, part}]: its thresholds; part: what an objective makes of it, or null
def _thresholds:
  [.thresholds // {} | to_entries[] | .key as $metric
    | .value[] | if type == "object" then .threshold else . end | {$metric, text: ., part: _part($metric)}];

# input: options of k6   $requests: of an iteration
# output: {objective, unread}: what its thresholds say together, null where there are none, or one that an objective
# cannot say: that is unread. Percentiles of an objective are of whole iterations, those of k6 of single requests
def own_objective($requests):
  _thresholds as $all
  | first(
      ($all[] | select(.part == null) | "\(.metric) \(.text)"),
      ($all[] | select($requests > 1 and .metric == "http_req_duration")
        | "\(.metric) \(.text), of single requests, where an iteration makes \($requests)"))
    // null
  | {objective: (if . != null or $all == [] then null else $all | map(.part) | join(", ") end), unread: .};

# input: options of k6   output: {exec}, or {fault}: what follows the script's name in one line
def own_script($scenario):
  (.scenarios // {}) as $scenarios
  # k6 itself calls it default where none is declared
  | ($scenarios | keys | if . == ["default"] then [] else . end) as $names
  | if .hosts then {fault: "maps hosts to addresses (options.hosts): give --url the address itself"}
    elif $scenario != "" and ($scenarios | has($scenario) | not) then
      {fault: "has no scenario \($scenario)\(if $names == [] then "" else "; there are \($names | join(", "))" end)"}
    elif any($scenarios[]; (.env // {}) != {}) then
      {fault: "sets variables for a scenario (env): set them in the environment"}
    elif $scenario == "" and ($names | length) > 1 then
      {fault: "has the scenarios \($names | join(", ")): name one with --scenario"}
    else {exec: ($scenarios[if $scenario != "" then $scenario else $names[0] // "default" end].exec? // null)} end;

# Seconds of an iteration in which no request was under way, from which it pauses.
def _pause_s: 0.05;

# input: an instant as k6 writes it   output: seconds
def _instant:
  capture("^(?<whole>.{19})(?<rest>[.][0-9]+)?")
  | ("\(.whole)Z" | fromdateiso8601) + ("0\(.rest // "")" | tonumber);

# input: samples of requests   output: seconds in which one at least was under way
def _busy_s:
  map((.data.time | _instant) as $to | {$to, from: ($to - .data.value / 1000)}) | sort_by(.from)
  | reduce .[] as $request ({to: 0, s: 0};
      .s += ([0, $request.to - ([.to, $request.from] | max)] | max) | .to = ([.to, $request.to] | max)) | .s;

# input: samples of k6's output json, of some iterations   $own: what addresses at the server begin with
# output: {requests} of an iteration, and at_once, whether some were under way together; or {fault}, and elsewhere where
# it is that somebody else is asked. The first may ask more, as to log in
def asked($own):
  # setup and teardown are of no scenario; a group of an iteration may be called so, too
  map(select(.data.tags.scenario or (.data.tags.group | IN("::setup", "::teardown") | not))) as $samples
  | ($samples | map(select(.metric == "http_reqs"))) as $requests
  | ($samples | map(select(.metric == "iteration_duration") | .data.metadata.iter)
     | map(. as $iter | $requests | map(select(.data.metadata.iter == $iter)) | length)) as $counts
  | def seconds($metrics): map(select(.metric | IN($metrics[])) | .data.value / 1000) | add // 0;
    ($samples | group_by(.data.metadata.iter)
     | map(seconds(["iteration_duration"]) - (map(select(.metric == "http_req_duration")) | _busy_s)
         - seconds(["http_req_connecting", "http_req_tls_handshaking", "http_req_blocked"])) | max // 0) as $paused_s
  | ($samples | map(select(.metric == "http_req_duration")) | group_by(.data.metadata.iter)
     | any(.[]; _busy_s < 0.9 * (map(.data.value / 1000) | add))) as $at_once
  # a request that has a name has no address here; the recorder saw where it went
  | def is_at($prefix): . == $prefix or startswith($prefix + "/") or startswith($prefix + "?")
      or (test("^[a-z]+://") | not);
    (first($requests[].data.tags.url | select(. as $url | all($own[]; . as $prefix | $url | is_at($prefix) | not)))
      // null) as $other
  | (first($samples[] | select(.metric == "http_req_failed" and .data.value == 1) | .data.tags) // null) as $failed
  | if $other then
      {elsewhere: true,
        fault: "asks \($other | split("?")[0]), which is not at __ENV.BASE_URL: load goes to that server alone"}
    elif $paused_s > _pause_s then
      {fault: ("pauses for about \($paused_s * 10 | round / 10) s in an iteration, which would count as waiting: "
        + "leave sleep() out; --think has users pause between iterations")}
    elif $failed then
      {unanswered: ($failed.status == "0"), fault: (if $failed.status == "0" then "gets no answer"
        else "is answered with \($failed.status), which k6 takes for a failure unless the request's "
          + "responseCallback expects it" end)}
    elif $counts[1:] | unique | length > 1 then
      {fault: ("asks \($counts[1:] | unique | map(tostring) | join(" or ")) times in an iteration: "
        + "a rate of iterations says something where each asks as often")}
    else {requests: ($counts[-1] // 0), $at_once} end;

# input: answers of a recorder   $asked: of asked, and failed: checks that did
# output: why the script cannot be measured, or null
def answers_fault($asked):
  (first(.[] | .redirects_to | values) // null) as $other
  | if $other then "is sent on to \($other), which is another host: give that one with --url"
    elif $asked.failed != "" and $asked.unanswered != true then
      (map("\(.method) \($asked.url)\(.path | split("?")[0]) with \(.status)") | unique | .[:5] | join(", "))
      as $answered
      | "finds a wrong answer when it is run: \($asked.failed); "
        + ($answered | sub(" with "; " was answered with "))
    elif $asked.fault then $asked.fault
    elif $asked.requests == 0 then
      "asks nothing at __ENV.BASE_URL: its addresses must begin with it, as in http.get(`${__ENV.BASE_URL}/orders`)"
    else null end;
