package hdr

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"go.k6.io/k6/metrics"
)

const (
	digits  = 3                      // significant decimal digits of a histogram
	exact   = 2048                   // values below it have a bucket each, which is what three digits take
	highest = 24 * 60 * 60 * 1000000 // largest value: 24 hours in microseconds
)

// histogram holds the values of one trend in one second: microseconds for times, thousandths of the
// script's own unit for other trends. Its buckets are those of an HdrHistogram (Gil Tene, 2012): as wide as the power of
// two that keeps three digits. Few are in use, so they are kept in a map.
type histogram struct {
	buckets                      map[int64]int64 // count by the middle of the bucket
	unit                         string          // "us" or "milli", the suffix of the keys
	count, sum, min, max, clamps int64
}

func newHistogram(contains metrics.ValueType) *histogram {
	h := &histogram{buckets: map[int64]int64{}, unit: "milli", min: math.MaxInt64}
	if contains == metrics.Time {
		h.unit = "us"
	}
	return h
}

// record adds one sample as k6 gives it: milliseconds, or the script's own unit. A value outside
// 0..highest is recorded as the nearest of the two and counted as clamped.
func (h *histogram) record(value float64) {
	scaled := math.Round(value * 1000)
	switch {
	case scaled > highest:
		scaled, h.clamps = highest, h.clamps+1
	case !(scaled >= 0): // negative or NaN
		scaled, h.clamps = 0, h.clamps+1
	}
	v := int64(scaled)
	h.buckets[middle(v)]++
	h.count, h.sum, h.min, h.max = h.count+1, h.sum+v, min(h.min, v), max(h.max, v)
}

// middle is the middle of the bucket that holds a value.
func middle(value int64) int64 {
	if value < exact {
		return value
	}
	width := int64(1) << (bits.Len64(uint64(value)) - bits.Len64(exact-1))
	return value&^(width-1) + width/2
}

// MarshalJSON writes {"count","sum_us","min_us","max_us","clamped"?,"counts":[[value,count],...]}, keys ending in
// the unit, ascending, each bucket by its middle value, so that its error is at most half a bucket, 0.05 %.
func (h *histogram) MarshalJSON() ([]byte, error) {
	text := strconv.AppendInt([]byte(`{"count":`), h.count, 10)
	field := func(name string, value int64) {
		text = append(append(append(text, `,"`...), name...), `":`...)
		text = strconv.AppendInt(text, value, 10)
	}
	field("sum_"+h.unit, h.sum)
	field("min_"+h.unit, h.min)
	field("max_"+h.unit, h.max)
	if h.clamps > 0 {
		field("clamped", h.clamps)
	}
	text = append(text, `,"counts":[`...)
	for i, value := range slices.Sorted(maps.Keys(h.buckets)) {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(append(text, '['), value, 10)
		text = strconv.AppendInt(append(text, ','), h.buckets[value], 10)
		text = append(text, ']')
	}
	return append(text, "]}"...), nil
}
