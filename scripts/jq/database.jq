# input: {before, at_end, after, expects, requests}   output: summary.database
include "counters";

database_counts
