# What tells the load tools apart: scripts/declared/tools.json.
import "tools" as $tools {search: "../declared"};

# output: {tool: what tells it apart}
def tools: $tools::tools[0];

# output: the names of the tools that can do what few can
def tools_that_can($what): [tools | to_entries[] | select(.value.can // [] | index([$what])).key];

# input: an entry of an experiment's cells   output: those of its tools of which several cannot share a load
def sharing_none: [.tools[] | select(tools[.].cannot_share)];

# input: an entry of an experiment's cells   output: whether several of some tool of it can share a load
def may_share: sharing_none != .tools;

# input: {tool: [workload]}   output: those that are asked over HTTP
def over_http: [to_entries[] | select(tools[.key].over_http).value[]] | unique;

# input: [[pattern of scripts, workload], ...]   $examples: {workload: example}
# output: {tool: [workload]}: what each has a script for; a tool without scripts asks what others do and examples show
def workloads_by_tool($examples):
  . as $scripts
  | (tools | map_values(.scripts as $pattern
      | [$scripts[] | select(.[0] == $pattern)[1]] + (.builtins // {} | keys_unsorted))) as $by_tool
  | ($by_tool | over_http) as $asked
  | $by_tool | with_entries(select(tools[.key].scripts == null).value |= [$examples | keys[] | select(IN($asked[]))]);
