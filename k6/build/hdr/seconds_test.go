package hdr

import (
	"fmt"
	"testing"

	"go.k6.io/k6/metrics"
)

// TestLateSamples: a second is written when it is final; what comes later still gets a line of its own.
func TestLateSamples(t *testing.T) {
	l := newLoad()
	c := l.collector()
	c.add(l.iteration(0, 0.5))
	c.add([]metrics.SampleContainer{l.request(l.ok, 1.5, 0.25)})
	equal(t, "lines while samples are held", len(c.final(l.at(1.25))), 0)
	equal(t, "lines within the slack", len(c.final(l.at(2.75))), 0)

	lines := c.final(l.at(3.25))
	equal(t, "lines", len(lines), 1)
	c.add([]metrics.SampleContainer{l.request(l.ok, 0.25, 0.125), l.request(l.ok, 4.5, 0.25)})
	equal(t, "lines before the next second is final", len(c.final(l.at(3.5))), 0)
	lines = append(lines, c.final(l.at(4.25))...)
	equal(t, "lines with a late one", len(lines), 3)

	got := finished(t, c, lines...)
	var order []int
	for _, s := range got.lines {
		order = append(order, s.T)
	}
	equal(t, "order", fmt.Sprint(order), "[0 0 1 2 3 4]")
	equal(t, "lines in the total", got.total.Lines, 6)
	near(t, "late requests", got.lines[1].Requests, 1)
	equal(t, "requests", got.total.Requests, 3)
	equal(t, "latencies", got.all.Latency.Count, 3)
}
