# What the driver runs for a cell, and what a person pastes; how each tool is called is said in argv-TOOL.jq. In argv,
# {cell} stands for the cell's folder and {base_url} for the target's address, {origin} and {prefix} for its parts,
# {begin} for the instant at which several generators begin: run-cell fills them in, by filled.jq.

import "argv-k6" as k6;
import "argv-wrk" as wrk;
import "argv-ab" as ab;
import "argv-pgbench" as pgbench;

# input: a cell with tool, workload, model, level, duration_s, warmup_s; requests where it makes so many; path where its
# tool has no scripts; of one of several generators also generator: {number, of}
# output: {argv, warmup_argv, spot_argv, by_hand}, an array of strings each
#   warmup_argv: the same load for warmup_s seconds, leaving no raw file; null where argv has a lead-in of its own
#   spot_argv: what looks at a few bodies while a tool runs that looks at none; null where the tool does
#   by_hand: as a person runs it while the target is up
def commands($args; $cores):
  if .tool == "k6" then k6::commands($args; $cores)
  elif .tool == "wrk" then wrk::commands($args; $cores)
  elif .tool == "ab" then ab::commands($args; $cores)
  elif .tool == "pgbench" then pgbench::commands($args; $cores)
  else error("scripts/jq/argv.jq does not know how \(.tool) is called") end;

# input: a cell with as many generators
# output: the commands of each: together they make the load that one would
def generator_commands($args; $cores):
  [.generator = (.generators as $of | range(1; $of + 1) | {number: ., $of}) | commands($args; $cores)];

# input: a cell with as many generators   output: the argv of each, each with its part of the cores
def generator_argvs($args; $cores):
  generator_commands($args; [$cores / .generators | floor, 1] | max) | map(.argv);

# input: an argument   output: as a shell wants it, quoted where it must be
def _quoted: if test("^[A-Za-z0-9_./:=%,+-]+$") then . else @sh end;

# input: argv   output: as a line to paste into a shell
def _line: map(gsub("\\{cell\\}/"; "") | _quoted) | join(" ");

# input: a cell as of commands
# output: one line to paste into a shell while the target is up; of several generators all, side by side
def by_hand($args; $cores):
  if .generators == null then commands($args; $cores).by_hand | _line
  else (generator_commands($args; $cores) | map(.by_hand | _line) | join(" & ")) + " & wait" end;
