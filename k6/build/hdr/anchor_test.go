package hdr

import (
	"fmt"
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
			got := finished(t, c, lines...)
			equal(t, "anchor", got.total.Anchor, l.at(test.anchor).Format(time.RFC3339Nano))
			equal(t, "seconds", got.total.Seconds, len(test.inFlight))
			for second, want := range test.inFlight {
				near(t, fmt.Sprint("in flight in second ", second), got.seconds[second].InFlight, want)
			}
		})
	}
}

// TestAnchorWithoutIterations covers runs in which no iteration ends for long, or ever.
func TestAnchorWithoutIterations(t *testing.T) {
	l := newLoad()
	for _, test := range []struct {
		name       string
		containers []metrics.SampleContainer
		anchor     string
		seconds    int
	}{
		{"nothing at all", nil, "", 0},
		{"VUs at rest", []metrics.SampleContainer{l.vus(1, 0)}, "", 0},
		{
			"VUs that hang",
			[]metrics.SampleContainer{l.vus(0, 0), l.vus(1, 5), l.vus(2, 5), l.vus(3, 0)},
			l.at(1).Format(time.RFC3339Nano), 2,
		},
		{
			"requests of a long iteration",
			[]metrics.SampleContainer{l.vus(0.5, 1), l.request(l.ok, 1.75, 1.5)},
			l.at(0.25).Format(time.RFC3339Nano), 2,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := l.collector()
			c.add(test.containers)
			got := finished(t, c)
			equal(t, "anchor", got.total.Anchor, test.anchor)
			equal(t, "seconds", got.total.Seconds, test.seconds)
		})
	}

	t.Run("held samples are bounded", func(t *testing.T) {
		c := l.collector()
		for range maxHeld {
			c.add([]metrics.SampleContainer{l.request(l.ok, 0.5, 0.25)})
			if len(c.held) >= maxHeld {
				t.Fatalf("%d samples are held", len(c.held))
			}
		}
		equal(t, "requests", finished(t, c).total.Requests, maxHeld)
	})
}
