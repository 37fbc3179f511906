# input: {before, after, expects, requests}   output: summary.database
include "counters";

database_counts
