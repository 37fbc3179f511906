# input: the sampler's lines of one cell, slurped   $cell: cell.json, slurped   output: summary.resources
include "samples";

resources($cell[0])
