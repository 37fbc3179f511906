# input: the sampler's lines of one cell, slurped   $cell, $tool: cell.json and the tool's summary, slurped
# output: summary.resources
include "samples";

resources($cell[0]; $tool[0].window)
