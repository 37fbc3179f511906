# How ab (ApacheBench) is called, see argv.jq.
include "argv-common";

# ab needs a number of requests beside a time: without one it stops at 50,000. It sets aside 40 bytes for each, and
# takes those that it uses; its one thread made 80,000 a second of a responder that does nothing.
def _load($seconds):
  if .requests then ["-n", "\(.requests)"]
  else ["-t", "\($seconds)", "-n", "\([200000 * $seconds, 100000000] | min)"] end
  + ["-c", "\(.level)"];

def _ab($args; $seconds): ["ab"] + (if closes($args) then [] else ["-k"] end) + _load($seconds);

# As driven, ab counts failed requests and goes on (-r), and says nothing meanwhile (-q).
def _driven($args; $seconds; $files):
  _ab($args; $seconds) + ["-q", "-r", "-s", "30"] + $files + $args + ["{origin}{prefix}\(.path)"];

# How ab asks: HTTP/1.0, and the headers that it sends by itself.
def _as_ab($args):
  ["--http1.0", "-H", "User-Agent: ApacheBench/2.3", "-H", "Accept: */*"]
  + if closes($args) then [] else ["-H", "Connection: Keep-Alive"] end;

# input and output: as commands of argv.jq
def commands($args; $cores):
  {argv: _driven($args; .duration_s; ["-e", "{cell}/raw.ab.percentiles.csv", "-g", "{cell}/raw.ab.requests.tsv"]),
   warmup_argv: (del(.requests) | _driven($args; .warmup_s; [])),
   spot_argv: (spot_checks(["--path", .path]) + _as_ab($args) + headers($args)),
   by_hand: (_ab($args; .duration_s) + $args
     + ["\(url_by_hand // "http://127.0.0.1:3000" | sub("/+$"; ""))\(.path)"])};
