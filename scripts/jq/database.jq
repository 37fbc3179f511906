# input: {before, at_end, after, verified, expects, requests, pods}   output: summary.database
include "counters";

database_counts
