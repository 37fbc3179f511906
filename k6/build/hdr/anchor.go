package hdr

import (
	"time"

	"go.k6.io/k6/lib/netext/httpext"
	"go.k6.io/k6/metrics"
)

const (
	// settle is how long after the end of the first iteration the anchor is fixed, so that an earlier
	// iteration that took longer still counts. Samples are held until then, but at most maxHeld containers.
	settle  = time.Second
	maxHeld = 1 << 17

	// earliest is how long before the agreed beginning a load may begin: k6's sleep is not exact.
	earliest = 100 * time.Millisecond
)

func (c *collector) hold(container metrics.SampleContainer) {
	c.held = append(c.held, container)
	for _, s := range container.GetSamples() {
		if s.Metric == c.builtin.IterationDuration && c.firstEnd.IsZero() {
			c.firstEnd = s.Time
		}
	}
	if len(c.held) == maxHeld {
		c.release()
	}
}

// release fixes the anchor and records what was held. Where a beginning was agreed, it is the anchor, and what counts is how long after it the load began.
func (c *collector) release() {
	started := c.scheduleStart()
	if started.IsZero() {
		started = c.firstSign()
	}
	c.anchor = started
	if !c.begin.IsZero() && !started.IsZero() {
		late := started.Sub(c.begin)
		c.total.BeganAfter, c.early = milliseconds64(late), late < -earliest
		if !c.early {
			c.anchor = started.Add(-late) // the same instant, by a clock that nobody sets
			if c.schedule != nil {
				c.schedule.offset = late
			}
		}
	}
	held := c.held
	c.held = nil
	if !c.anchor.IsZero() {
		c.add(held)
	}
}

// scheduleStart is the start of the open model's schedule, as far as what is held tells.
func (c *collector) scheduleStart() (start time.Time) {
	if c.schedule == nil {
		return start
	}
	for _, container := range c.held {
		for _, s := range container.GetSamples() {
			if s.Metric != c.builtin.IterationDuration {
				continue
			}
			at, ok := c.schedule.start(s.Time.Add(-milliseconds(s.Value)), s.Metadata[arrivalKey])
			if ok && c.schedule.better(at, start) {
				start = at
			}
		}
	}
	return start
}

// firstSign is the earliest sign of load among what is held: the start of an iteration or of a request where there are any.
func (c *collector) firstSign() (first time.Time) {
	sign := func(at time.Time) {
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	for _, container := range c.held {
		if trail, ok := container.(*httpext.Trail); ok {
			if c.isLoad(trail.Tags) {
				sign(trail.EndTime.Add(-life(trail)))
			}
			continue
		}
		for _, s := range container.GetSamples() {
			switch {
			case s.Metric == c.builtin.VUs:
				if s.Value > 0 {
					sign(s.Time)
				}
			case s.Metric == c.builtin.IterationDuration:
				sign(s.Time.Add(-milliseconds(s.Value)))
			case c.isOfUser(&s):
				sign(s.Time)
			}
		}
	}
	return first
}

// since is a moment after the anchor.
func (c *collector) since(at time.Time) time.Duration { return max(at.Sub(c.anchor), 0) }
