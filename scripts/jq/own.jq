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

# input: options of k6   output: the objective that its thresholds say, or null where there is none, or one says something else
def _objective:
  [(.thresholds // {}) | to_entries[] | .key as $metric | .value[] | if type == "object" then .threshold else . end | _part($metric)]
  | if . == [] or any(.[]; . == null) then null else join(", ") end;

# input: options of k6   output: {exec, objective}, or {fault}: what follows the script's name in one line
def own_script($scenario):
  (.scenarios // {}) as $scenarios
  | ($scenarios | keys | map(select(. != "default"))) as $names
  | if $scenario != "" and ($scenarios | has($scenario) | not) then
      {fault: "has no scenario \($scenario)\(if $names == [] then "" else "; there are \($names | join(", "))" end)"}
    elif $scenario == "" and ($names | length) > 1 then {fault: "has the scenarios \($names | join(", ")): name one with --scenario"}
    else {exec: ($scenarios[if $scenario != "" then $scenario else $names[0] // "default" end].exec? // null), objective: _objective} end;

# input: answers of a recorder   output: why the script cannot be measured, or null
def answers_fault:
  map(select(.method != "OPTIONS"))
  | if . == [] then "asks nothing at __ENV.BASE_URL: its addresses must begin with it, as in http.get(`${__ENV.BASE_URL}/orders`)"
    else first(.[] | .redirects_to | values | "is sent on to \(.), which is another host: give that one with --url") // null end;
