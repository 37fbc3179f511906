package hdr

import (
	"math"
	"strconv"

	"github.com/HdrHistogram/hdrhistogram-go"
	"go.k6.io/k6/metrics"
)

const (
	digits  = 3                      // significant decimal digits of a histogram
	highest = 24 * 60 * 60 * 1000000 // largest value: 24 hours in microseconds
)

// histogram holds the values of one trend in one second: microseconds for times, thousandths of the
// script's own unit for other trends.
type histogram struct {
	buckets               *hdrhistogram.Histogram
	unit                  string // "us" or "milli", the suffix of the keys
	sum, min, max, clamps int64
}

func newHistogram(contains metrics.ValueType) *histogram {
	h := &histogram{buckets: hdrhistogram.New(1, highest, digits), unit: "milli", min: math.MaxInt64}
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
	if err := h.buckets.RecordValue(v); err != nil {
		panic(err) // v is in the range the histogram was made for
	}
	h.sum, h.min, h.max = h.sum+v, min(h.min, v), max(h.max, v)
}

// MarshalJSON writes {"count","sum_us","min_us","max_us","clamped"?,"counts":[[value,count],...]}, keys ending in
// the unit, ascending, each bucket by its middle value, so that its error is at most half a bucket, 0.05 %.
func (h *histogram) MarshalJSON() ([]byte, error) {
	text := strconv.AppendInt([]byte(`{"count":`), h.buckets.TotalCount(), 10)
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
	separator := byte('[')
	for _, bar := range h.buckets.Distribution() {
		if bar.Count == 0 {
			continue
		}
		if separator == ',' {
			text = append(text, ",["...)
		} else {
			text = append(text, '[')
		}
		separator = ','
		text = strconv.AppendInt(text, bar.From+(bar.To-bar.From+1)/2, 10)
		text = append(text, ',')
		text = strconv.AppendInt(text, bar.Count, 10)
		text = append(text, ']')
	}
	return append(text, "]}"...), nil
}
