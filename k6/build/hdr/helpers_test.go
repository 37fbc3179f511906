package hdr

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"go.k6.io/k6/metrics"
)

// load makes samples as k6 does, at times given in seconds after start.
type load struct {
	start   time.Time
	builtin *metrics.BuiltinMetrics
	trend   *metrics.Metric // declared by the script, in milliseconds
	plain   *metrics.Metric // declared by the script, without unit
	root    *metrics.TagSet
	vu      *metrics.TagSet // of a VU in the load
	ok      *metrics.TagSet // of a successful request in the load
}

func newLoad() *load {
	registry := metrics.NewRegistry()
	root := registry.RootTagSet()
	vu := root.With("group", "").With("scenario", "default")
	return &load{
		start:   time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		builtin: metrics.RegisterBuiltinMetrics(registry),
		trend:   registry.MustNewMetric("query", metrics.Trend, metrics.Time),
		plain:   registry.MustNewMetric("rows", metrics.Trend),
		root:    root, vu: vu,
		ok: vu.With("status", "200").With("expected_response", "true"),
	}
}

func (l *load) collector() *collector { return newCollector(l.builtin, hasScenario) }

func (l *load) at(seconds float64) time.Time {
	return l.start.Add(time.Duration(math.Round(seconds * 1e9)))
}

func (l *load) sample(metric *metrics.Metric, tags *metrics.TagSet, at, value float64) metrics.Sample {
	return metrics.Sample{TimeSeries: metrics.TimeSeries{Metric: metric, Tags: tags}, Time: l.at(at), Value: value}
}

// request is the samples of one request that ended at a time, in seconds.
func (l *load) request(tags *metrics.TagSet, end, duration float64) []metrics.Sample {
	return []metrics.Sample{
		l.sample(l.builtin.HTTPReqs, tags, end, 1),
		l.sample(l.builtin.HTTPReqDuration, tags, end, duration*1000),
		l.sample(l.builtin.HTTPReqBlocked, tags, end, 0.001),
		l.sample(l.builtin.HTTPReqConnecting, tags, end, 0),
		l.sample(l.builtin.HTTPReqTLSHandshaking, tags, end, 0),
		l.sample(l.builtin.HTTPReqSending, tags, end, 0.01),
		l.sample(l.builtin.HTTPReqWaiting, tags, end, duration*1000-0.02),
		l.sample(l.builtin.HTTPReqReceiving, tags, end, 0.01),
		l.sample(l.builtin.HTTPReqFailed, tags, end, 0),
	}
}

// iteration is the samples at the end of one iteration, in seconds.
func (l *load) iteration(start, end float64) []metrics.Sample {
	return []metrics.Sample{
		l.sample(l.builtin.DataSent, l.vu, end, 100),
		l.sample(l.builtin.DataReceived, l.vu, end, 100),
		l.sample(l.builtin.IterationDuration, l.vu, end, (end-start)*1000),
		l.sample(l.builtin.Iterations, l.vu, end, 1),
	}
}

func (l *load) vus(at, n float64) []metrics.Sample {
	return []metrics.Sample{l.sample(l.builtin.VUs, l.root, at, n)}
}

// parsed is what a reader sees: the lines, and per metric the sum over all seconds.
type parsed struct {
	seconds []parsedSecond
	metrics map[string]parsedMetric
	total   total
}

type parsedSecond struct {
	T int `json:"t"`
	tally
	VUs     *int64                  `json:"vus"`
	Metrics map[string]parsedMetric `json:"metrics"`
}

type parsedMetric struct {
	Count    int64      `json:"count"`
	Sum      int64      `json:"sum_us"`
	Min      int64      `json:"min_us"`
	Max      int64      `json:"max_us"`
	SumMilli int64      `json:"sum_milli"`
	Clamped  int64      `json:"clamped"`
	Counts   [][2]int64 `json:"counts"`
}

func parse(t *testing.T, text []byte) parsed {
	t.Helper()
	out := parsed{metrics: map[string]parsedMetric{}}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var kind struct{ Type string }
		check(t, json.Unmarshal(line, &kind))
		switch kind.Type {
		case "second":
			var s parsedSecond
			check(t, json.Unmarshal(line, &s))
			out.seconds = append(out.seconds, s)
			for name, m := range s.Metrics {
				out.metrics[name] = merge(out.metrics[name], m)
			}
		case "total":
			check(t, json.Unmarshal(line, &out.total))
		}
	}
	return out
}

// read finishes a collector and parses its lines, with those that were taken before.
func read(t *testing.T, c *collector, before ...*second) parsed {
	t.Helper()
	rest, sum := c.finish()
	var text []byte
	for _, line := range append(before, rest...) {
		text = appendLine(t, text, line)
	}
	return parse(t, appendLine(t, text, sum))
}

func appendLine(t *testing.T, text []byte, line any) []byte {
	t.Helper()
	encoded, err := json.Marshal(line)
	check(t, err)
	return append(append(text, encoded...), '\n')
}

// merge adds two histograms, as every reader of the file does.
func merge(a, b parsedMetric) parsedMetric {
	if a.Count == 0 {
		return b
	}
	counts := map[int64]int64{}
	for _, pair := range slices.Concat(a.Counts, b.Counts) {
		counts[pair[0]] += pair[1]
	}
	sum := parsedMetric{
		Count: a.Count + b.Count, Sum: a.Sum + b.Sum, Min: min(a.Min, b.Min), Max: max(a.Max, b.Max),
		SumMilli: a.SumMilli + b.SumMilli, Clamped: a.Clamped + b.Clamped,
	}
	for value, n := range counts {
		sum.Counts = append(sum.Counts, [2]int64{value, n})
	}
	slices.SortFunc(sum.Counts, func(x, y [2]int64) int { return int(x[0] - y[0]) })
	return sum
}

// percentile is the nearest rank: the smallest value whose cumulative count reaches p of all.
func percentile(m parsedMetric, p float64) int64 {
	rank, seen := int64(math.Ceil(p*float64(m.Count))), int64(0)
	for _, pair := range m.Counts {
		if seen += pair[1]; seen >= rank {
			return pair[0]
		}
	}
	return 0
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
