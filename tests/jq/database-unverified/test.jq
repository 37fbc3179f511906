include "counters";

map_values(database_counts.unverified_statements)
