package hdr

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"go.k6.io/k6/metrics"
)

func TestAnchorAndInFlight(t *testing.T) {
	l := newLoad()
	for _, test := range []struct {
		name       string
		iterations [][2]float64 // start and end in seconds, in the order of their ends
		anchor     float64
		inFlight   []float64
	}{
		{"within one second", [][2]float64{{1, 1.25}}, 1, []float64{0.25}},
		{"over a boundary", [][2]float64{{0, 0.25}, {0.5, 1.75}}, 0, []float64{0.75, 0.75}},
		{"over several seconds", [][2]float64{{0.25, 3.5}}, 0.25, []float64{1, 1, 1, 0.25}},
		{"ends on a boundary", [][2]float64{{0, 2}}, 0, []float64{1, 1, 0}},
		{"two at once", [][2]float64{{0, 1}, {0, 1.5}}, 0, []float64{2, 0.5}},
		{"nothing in between", [][2]float64{{0, 0.5}, {3, 3.5}}, 0, []float64{0.5, 0, 0, 0.5}},
		{"the earlier start ends later", [][2]float64{{0.125, 0.25}, {0, 0.75}}, 0, []float64{0.875}},
		{"a start before the anchor counts from there", [][2]float64{{2, 2.25}, {1, 4}}, 2, []float64{1.25, 1, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := l.collector()
			var lines []*second
			for _, i := range test.iterations {
				lines = append(lines, c.final(l.at(i[1]))...)
				c.add(l.iteration(i[0], i[1]))
			}
			got := read(t, c, lines...)
			equal(t, "anchor", got.total.Anchor, l.at(test.anchor).Format(time.RFC3339Nano))
			equal(t, "in-flight", fmt.Sprint(got.total.InFlight), fmt.Sprint(test.inFlight))
			equal(t, "seconds", len(got.seconds), len(test.inFlight))
		})
	}
}

// TestAnchorWithoutIterations covers runs in which no iteration ends for long, or ever.
func TestAnchorWithoutIterations(t *testing.T) {
	l := newLoad()
	for _, test := range []struct {
		name    string
		samples []metrics.Sample
		anchor  string
		seconds int
	}{
		{"nothing at all", nil, "", 0},
		{"VUs at rest", l.vus(1, 0), "", 0},
		{"VUs that hang", slices.Concat(l.vus(0, 0), l.vus(1, 5), l.vus(2, 5), l.vus(3, 0)), l.at(1).Format(time.RFC3339Nano), 2},
		{"requests of a long iteration", slices.Concat(l.vus(0.5, 1), l.request(l.ok, 1.75, 1.5)), l.at(0.25).Format(time.RFC3339Nano), 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := l.collector()
			c.add(test.samples)
			got := read(t, c)
			equal(t, "anchor", got.total.Anchor, test.anchor)
			equal(t, "seconds", got.total.Seconds, test.seconds)
		})
	}

	t.Run("held samples are bounded", func(t *testing.T) {
		c := l.collector()
		for range maxHeld {
			c.add(l.request(l.ok, 0.5, 0.25))
			if len(c.held) >= maxHeld {
				t.Fatalf("%d samples are held", len(c.held))
			}
		}
		equal(t, "requests", read(t, c).total.Requests, maxHeld)
	})
}

func TestSetupAndTeardownAreLeftOut(t *testing.T) {
	l := newLoad()
	for _, test := range []struct {
		name          string
		enabled       *metrics.SystemTagSet
		tags          *metrics.TagSet
		in, undecided bool
	}{
		{"load, by scenario", tagSet(metrics.TagScenario, metrics.TagGroup), l.ok, true, false},
		{"load in a group named setup", tagSet(metrics.TagScenario, metrics.TagGroup), l.ok.With("group", "::setup"), true, false},
		{"setup, by scenario", tagSet(metrics.TagScenario), l.root, false, false},
		{"load, by group", tagSet(metrics.TagGroup), l.root.With("group", "::reports"), true, false},
		{"setup, by group", tagSet(metrics.TagGroup), l.root.With("group", "::setup"), false, false},
		{"group in teardown, by group", tagSet(metrics.TagGroup), l.root.With("group", "::teardown::x"), false, false},
		{"neither tag", tagSet(), nil, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			inLoad, err := phaseFromTags(test.enabled)
			equal(t, "undecided", err != nil, test.undecided)
			if err != nil {
				return
			}
			c := newCollector(l.builtin, inLoad)
			c.add(l.request(test.tags, 1, 0.5))
			c.add([]metrics.Sample{l.sample(l.trend, test.tags, 1, 1), l.sample(l.builtin.Checks, test.tags, 1, 0)})
			got := read(t, c)
			equal(t, "requests", got.total.Requests == 1, test.in)
			equal(t, "trends", got.metrics["query"].Count == 1, test.in)
			equal(t, "checks", got.total.Errors["check"] == 1, test.in)
		})
	}
}

func tagSet(tags ...metrics.SystemTag) *metrics.SystemTagSet {
	return metrics.NewSystemTagSet(append(tags, metrics.TagStatus, metrics.TagExpectedResponse)...)
}

func TestErrorClass(t *testing.T) {
	l := newLoad()
	for _, test := range []struct{ status, expected, want string }{
		{"200", "true", ""},
		{"404", "true", ""},
		{"404", "false", "status_4xx"},
		{"503", "false", "status_5xx"},
		{"301", "false", "status_other"},
		{"0", "false", "transport"},
		{"200", "", ""},
		{"302", "", ""},
		{"500", "", "status_5xx"},
		{"0", "", "transport"},
	} {
		tags := l.vu.With("status", test.status)
		if test.expected != "" {
			tags = tags.With("expected_response", test.expected)
		}
		equal(t, test.status+" "+test.expected, errorClass(tags), test.want)
	}
}

// TestLateSamples: a second is written when it is final; what comes later still gets a line of its own.
func TestLateSamples(t *testing.T) {
	l := newLoad()
	c := l.collector()
	c.add(l.iteration(0, 0.5))
	c.add(l.vus(0.75, 3))
	c.add(l.request(l.ok, 1.5, 0.25))
	equal(t, "lines while samples are held", len(c.final(l.at(1.25))), 0)
	equal(t, "lines within the slack", len(c.final(l.at(2.75))), 0)

	lines := c.final(l.at(3.25))
	equal(t, "lines", len(lines), 1)
	c.add(l.request(l.ok, 0.25, 0.125))
	c.add(l.request(l.ok, 4.5, 0.25))
	lines = append(lines, c.final(l.at(3.5))...)
	equal(t, "lines with a late one", len(lines), 2)

	got := read(t, c, lines...)
	var order []int
	for _, s := range got.seconds {
		order = append(order, s.T)
	}
	equal(t, "order", fmt.Sprint(order), "[0 0 1 2 3 4]")
	equal(t, "late requests", got.seconds[1].Requests, 1)
	equal(t, "VUs of a late line", got.seconds[1].VUs == nil, true)
	equal(t, "VUs stay until they change", *got.seconds[5].VUs, 3)
	equal(t, "requests", got.total.Requests, 3)
	equal(t, "latencies", got.metrics["http_req_duration"].Count, 3)
}

func TestCounts(t *testing.T) {
	l := newLoad()
	c := l.collector()
	c.add(l.iteration(0, 0.5))
	c.add([]metrics.Sample{
		l.sample(l.builtin.DroppedIterations, l.vu, 1.5, 1),
		l.sample(l.builtin.DroppedIterations, l.vu, 1.75, 4),
		l.sample(l.builtin.Checks, l.vu, 1.75, 0),
		l.sample(l.builtin.Checks, l.vu, 1.75, 1),
		l.sample(l.builtin.DataSent, l.vu, 1.875, 0), // an iteration that was cut short
		l.sample(l.builtin.GroupDuration, l.vu, 1.75, 1),
		l.sample(l.trend, l.vu, 1.75, 2),
		l.sample(l.plain, l.vu, 1.75, 2),
	})
	got := read(t, c)
	equal(t, "dropped in second 1", got.seconds[1].DroppedIterations, 5)
	equal(t, "dropped", got.total.DroppedIterations, 5)
	equal(t, "checks", got.total.Errors["check"], 1)
	equal(t, "iterations", got.total.Iterations, 1)
	equal(t, "interrupted iterations", got.total.InterruptedIterations, 1)
	equal(t, "time in microseconds", got.metrics["query"].Sum, 2000)
	equal(t, "other trends in thousandths", got.metrics["rows"].SumMilli, 2000)
	equal(t, "metrics", len(got.metrics), 3)
}
