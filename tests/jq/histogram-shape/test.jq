include "histogram";

map_values(merge_histograms | shape("closed"))
