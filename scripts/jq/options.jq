# input: lines "option<TAB>value", as typed   output: options.json; null where not given
def given(f): if . == null then null else f end;
def script:
  {path: ., name: (split("/")[-1] | rtrimstr(".js") | ascii_downcase | gsub("[^a-z0-9]+"; "-"))};
def seconds:
  capture("^(?<n>[0-9.]+)(?<unit>ms|s|m)$") | (.n | tonumber) * {ms: 0.001, s: 1, m: 60}[.unit];
[inputs | split("\t") | {(.[0]): .[1]}] | add // {}
| {levels: (.levels | given(split(",") | map(tonumber))), targets: (.targets | given(split(","))),
   workloads: (.workloads | given(split(","))), blocks: (.blocks | given(tonumber)),
   duration_s: (.duration | given(tonumber)), scale: (.scale | given(tonumber)), think_s: (.think | given(seconds)),
   generators: (.generators | given(if . == "auto" then {at_most: 1} else {number: tonumber} end)),
   objective, script: (.script | given(script)), stack, url, $dsn,
   pid: (.pid | given(tonumber)), pid_started, container,
   allow_writes: (.allow_writes != null), suite: (if $suite == "" then null else $suite end)}
  + ({context, registry, node_selector: .["node-selector"], storage_class: .["storage-class"],
     operator}
    | with_entries(select(.value != null)))
