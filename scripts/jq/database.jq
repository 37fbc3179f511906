# input: {before, at_end, after, verified, expects, pods}   output: summary.database
include "counters";

database_counts
