include "histogram";

map_values([percentile(0, 0.5, 0.9, 0.95, 0.99, 0.999, 1)])
