include "histogram";

map_values(merge_counts)
