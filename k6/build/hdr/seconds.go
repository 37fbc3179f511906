package hdr

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// slack is how long a second stays open for samples that arrive late. Later ones are written in another line.
const slack = 2 * time.Second

// second is the open second at a distance from the anchor; what ended before the anchor goes to the first.
func (c *collector) second(since time.Duration) *second {
	t := int(max(since, 0) / time.Second)
	if c.last == nil || c.last.T != t {
		if c.last = c.seconds[t]; c.last == nil {
			c.last = newSecond(t)
			c.seconds[t] = c.last
		}
	}
	return c.last
}

func (c *collector) reached(t int, at time.Time) {
	c.length = max(c.length, t+1)
	if at.After(c.latest) {
		c.latest = at
	}
}

// final removes and returns the lines of the seconds that are final at a time, ascending.
func (c *collector) final(now time.Time) []*second {
	if c.anchor.IsZero() && !c.firstEnd.IsZero() && now.Sub(c.firstEnd) >= settle {
		c.release()
	}
	if c.anchor.IsZero() {
		return nil
	}
	return c.take(int((now.Sub(c.anchor) - slack) / time.Second))
}

// take removes and returns the late lines and those of the seconds before one; seconds without any
// sample are among them. k6 reads the number of VUs once a second: where no reading fell into a second, it is the one before, for
// the first second the one after.
func (c *collector) take(before int) []*second {
	var lines []*second
	for t, late := range c.seconds {
		if t < c.next {
			lines = append(lines, late)
		}
	}
	slices.SortFunc(lines, func(a, b *second) int { return cmp.Compare(a.T, b.T) })
	for ; c.next < min(before, c.length); c.next++ {
		line := c.seconds[c.next]
		if line == nil {
			line = newSecond(c.next)
		}
		if line.VUs == nil {
			line.VUs = c.vus
		}
		if following := c.seconds[c.next+1]; line.VUs == nil && following != nil {
			line.VUs = following.VUs
		}
		c.vus = line.VUs
		lines = append(lines, line)
	}
	for _, line := range lines {
		c.total.add(line.tally)
		delete(c.seconds, line.T)
	}
	c.last = nil
	return lines
}

// finish removes and returns the remaining lines and the line of totals.
func (c *collector) finish() ([]*second, total) {
	if c.anchor.IsZero() {
		c.release()
	}
	lines := c.take(math.MaxInt)
	sum := total{Type: "total", Seconds: c.length, InFlight: make([]float64, c.length), tally: c.total}
	copy(sum.InFlight, c.inFlight)
	for t, x := range sum.InFlight {
		sum.InFlight[t] = math.Round(x*1e6) / 1e6
	}
	if !c.anchor.IsZero() {
		sum.Anchor, sum.Ended = c.anchor.UTC().Format(time.RFC3339Nano), c.latest.UTC().Format(time.RFC3339Nano)
	}
	sum.InterruptedIterations = max(c.ended-c.total.Iterations, 0)
	return lines, sum
}
