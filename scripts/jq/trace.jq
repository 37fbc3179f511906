# input: what `curl -w '%{json}'` says of one request   $headers: what `curl -D` does   $columns: of the terminal
# $colour: whether it shows colours
# output: the answer's headers, and lines of a picture: a phase of the request each, its bar beginning where the one
# before it ended

def _label_width: 18;
def _time_width: 8;
def _gap: "  ";
def _least_bar: 10; # narrower than this a bar tells nothing, and there is none

def _spaces: if . > 0 then " " * . else "" end;
def _left($width): . + ($width - length | _spaces);
def _right($width): ($width - length | _spaces) + .;

def _three_digits: if . >= 100 then round elif . >= 10 then . * 10 | round / 10 else . * 100 | round / 100 end;

# input: seconds   output: "214 µs", "1.63 ms", "2.5 s"
def time_text:
  . * 1e6 | round
  | if . < 1000 then "\(.) µs"
    elif . < 999500 then "\(. / 1e3 | _three_digits) ms" else "\(. / 1e6 | _three_digits) s" end;

# input: as above
# output: [{name, from, to}] in seconds from the start; together they are the whole. When the request was sent, curl
# notes late at times, when the answer has begun: sending it is counted with the server.
def phases:
  ([.time_connect, .time_appconnect] | max) as $connected
  | [{name: "name lookup", from: 0, to: .time_namelookup},
     {name: "connect", from: .time_namelookup, to: .time_connect},
     (select(.time_appconnect > 0) | {name: "TLS", from: .time_connect, to: .time_appconnect}),
     {name: "server processing", from: $connected, to: .time_starttransfer},
     {name: "transfer", from: .time_starttransfer, to: .time_total}];

# input: a phase   output: its bar, to an eighth of a column
def _bar($width; $total):
  ([1, (.to - .from) / $total * $width * 8 | round] | max) as $eighths
  | ($eighths / 8 | ceil) as $long
  | ([.from / $total * $width | floor, $width - $long] | min | _spaces)
    + ("█" * ($eighths / 8 | floor) // "") + (["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][$eighths % 8]);

def _cut($width): if length > $width then .[:$width - 1] + "…" else . end;

def _painted($code): if $colour and . != "" then "\u001b[\($code)m\(.)\u001b[0m" else . end;

. as $request
| ($columns - _label_width - _time_width - (_gap | length)) as $width
| ([.time_total, 1e-6] | max) as $total
| ("GET \(.url_effective)" | _cut($columns)),
  ("\(.response_code)" | _painted(if $request.response_code >= 400 then 31 else 32 end))
    + (", \(.size_download) bytes from \(.remote_ip) port \(.remote_port)" | _cut($columns - 3)),
  ($headers | split("\n")[1:][] | gsub("[[:cntrl:]]"; "") | select(. != "") | _cut($columns)),
  "",
  (phases | to_entries[] | .key as $i | .value
    | (.name | _left(_label_width)) + (.to - .from | time_text | _right(_time_width))
      + if $width < _least_bar then "" else _gap + (_bar($width; $total) | _painted([36, 33, 35, 32, 36][$i])) end),
  ("total" | _left(_label_width)) + ($request.time_total | time_text | _right(_time_width))
