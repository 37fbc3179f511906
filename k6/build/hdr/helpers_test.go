package hdr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"testing"
	"time"

	"go.k6.io/k6/lib/netext/httpext"
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
	meta    map[string]string
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
		ok:   vu.With("status", "200").With("expected_response", "true"),
		meta: map[string]string{"vu": "1"},
	}
}

// user is the same load by another VU.
func (l *load) user(id int) *load {
	other := *l
	other.meta = maps.Clone(l.meta)
	other.meta["vu"] = fmt.Sprint(id)
	return &other
}

// serving is the same load by a VU whose iteration has a number, when a share of the scenario had passed.
func (l *load) serving(number int, progress float64) *load {
	other := *l
	other.meta = maps.Clone(l.meta)
	other.meta["arrival"] = fmt.Sprintf("%d %v", number, progress)
	return &other
}

func (l *load) collector() *collector { return newCollector(l.builtin, hasScenario, nil) }

func (l *load) at(seconds float64) time.Time {
	return l.start.Add(time.Duration(math.Round(seconds * 1e9)))
}

func (l *load) sample(metric *metrics.Metric, tags *metrics.TagSet, at, value float64) metrics.Sample {
	return metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: metric, Tags: tags}, Time: l.at(at), Value: value, Metadata: l.meta,
	}
}

// request is one over a connection that was there, which ended at a time, in seconds.
func (l *load) request(tags *metrics.TagSet, end, duration float64) *httpext.Trail {
	whole := time.Duration(math.Round(duration * 1e9))
	return l.trail(tags, end, httpext.Trail{
		Blocked: time.Microsecond, Duration: whole - time.Microsecond,
		ConnReused: true, ConnRemoteAddr: &net.TCPAddr{},
	})
}

func (l *load) trail(tags *metrics.TagSet, end float64, trail httpext.Trail) *httpext.Trail {
	trail.EndTime = l.at(end)
	trail.SaveSamples(l.builtin, &metrics.TagsAndMeta{Tags: tags, Metadata: l.meta})
	return &trail
}

// cut is what k6 emits of an iteration that was cut short.
func (l *load) cut(end float64) metrics.SampleContainer {
	return metrics.Samples{
		l.sample(l.builtin.DataSent, l.vu, end, 100),
		l.sample(l.builtin.DataReceived, l.vu, end, 100),
	}
}

// iteration is what k6 emits at the end of a whole one, in seconds.
func (l *load) iteration(start, end float64) []metrics.SampleContainer {
	return []metrics.SampleContainer{l.cut(end), metrics.Samples{
		l.sample(l.builtin.IterationDuration, l.vu, end, (end-start)*1000),
		l.sample(l.builtin.Iterations, l.vu, end, 1),
	}}
}

// asks is an iteration that consists of one request.
func (l *load) asks(tags *metrics.TagSet, start, end float64) []metrics.SampleContainer {
	return append([]metrics.SampleContainer{l.request(tags, end, end-start)}, l.iteration(start, end)...)
}

func (l *load) vus(at, n float64) metrics.SampleContainer {
	return metrics.Samples{l.sample(l.builtin.VUs, l.root, at, n)}
}

func (l *load) dropped(at float64) metrics.SampleContainer {
	return l.sample(l.builtin.DroppedIterations, l.vu, at, 1)
}

// parsed is what a reader sees: the lines, and the sum of those of each second.
type parsed struct {
	lines   []parsedSecond
	seconds map[int]parsedSecond
	all     parsedSecond
	total   total
}

type parsedSecond struct {
	T           int                     `json:"t"`
	Due         int64                   `json:"due"`
	Arrivals    int64                   `json:"arrivals"`
	Requests    float64                 `json:"requests"`
	Errors      map[string]float64      `json:"errors"`
	Answers     int64                   `json:"answers"`
	Checked     float64                 `json:"checked"`
	InFlight    float64                 `json:"in_flight"`
	Unanswered  unanswered              `json:"unanswered"`
	Latency     parsedMetric            `json:"latency"`
	FromSend    parsedMetric            `json:"latency_from_send"`
	DispatchLag parsedMetric            `json:"dispatch_lag"`
	Connect     parsedMetric            `json:"connect"`
	Trends      map[string]parsedMetric `json:"trends"`
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
	out := parsed{seconds: map[int]parsedSecond{}}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var kind struct{ Type string }
		check(t, json.Unmarshal(line, &kind))
		switch kind.Type {
		case "second":
			var s parsedSecond
			check(t, json.Unmarshal(line, &s))
			out.lines = append(out.lines, s)
			out.seconds[s.T] = out.seconds[s.T].plus(s)
			out.all = out.all.plus(s)
		case "total":
			check(t, json.Unmarshal(line, &out.total))
		}
	}
	return out
}

// plus adds two lines, as every reader of the file does.
func (s parsedSecond) plus(o parsedSecond) parsedSecond {
	sum := parsedSecond{
		T: o.T, Due: s.Due + o.Due, Arrivals: s.Arrivals + o.Arrivals, Requests: s.Requests + o.Requests,
		Answers: s.Answers + o.Answers, Checked: s.Checked + o.Checked, InFlight: s.InFlight + o.InFlight,
		Unanswered: s.Unanswered, Latency: merge(s.Latency, o.Latency), FromSend: merge(s.FromSend, o.FromSend),
		DispatchLag: merge(s.DispatchLag, o.DispatchLag), Connect: merge(s.Connect, o.Connect),
		Errors: map[string]float64{}, Trends: maps.Clone(s.Trends),
	}
	if s.Unanswered.Count == 0 || o.Unanswered.Count > 0 && o.Unanswered.LeastUs < s.Unanswered.LeastUs {
		sum.Unanswered.LeastUs = o.Unanswered.LeastUs
	}
	sum.Unanswered.MostUs = max(s.Unanswered.MostUs, o.Unanswered.MostUs)
	sum.Unanswered.Count = s.Unanswered.Count + o.Unanswered.Count
	for _, errors := range []map[string]float64{s.Errors, o.Errors} {
		for class, n := range errors {
			sum.Errors[class] += n
		}
	}
	for name, m := range o.Trends {
		if sum.Trends == nil {
			sum.Trends = map[string]parsedMetric{}
		}
		sum.Trends[name] = merge(sum.Trends[name], m)
	}
	return sum
}

// finished gives containers to a collector and reads what it makes of them, with lines that were taken before.
func finished(t *testing.T, c *collector, before ...*second) parsed {
	t.Helper()
	rest, sum := c.finish(true)
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

// merge adds two histograms.
func merge(a, b parsedMetric) parsedMetric {
	if a.Count == 0 {
		return b
	}
	if b.Count == 0 {
		return a
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

// percentile is the nearest rank: the smallest value whose cumulative count reaches p of all; 0 where it lies among those
// that were never answered.
func percentile(m parsedMetric, p float64, unanswered int64) int64 {
	rank, seen := int64(math.Ceil(p*float64(m.Count+unanswered))), int64(0)
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

// near is equal up to the rounding of shares.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-5 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
