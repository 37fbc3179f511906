include "counters";

database_counts
