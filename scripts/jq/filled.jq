# What stands in braces in the words of a command, which argv.jq writes: a plan names no host, no folder and no time.

include "argv-common";

# input: argv   output: with the cell's folder, the target's address and the instant of the beginning filled in
def filled($cell; $base_url; $begin):
  ($base_url | split_url // {origin: "", prefix: ""}) as $url
  | map(gsub("\\{cell\\}"; $cell) | gsub("\\{begin\\}"; $begin) | gsub("\\{base_url\\}"; $base_url)
      | gsub("\\{origin\\}"; $url.origin) | gsub("\\{prefix\\}"; $url.prefix)
    | select(. != "prefix="));
