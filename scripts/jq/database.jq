# input: {before, at_end, after, verified, expects, requests}   output: summary.database
include "counters";

database_counts
