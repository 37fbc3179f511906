package hdr

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// slack is how long a second stays open for samples that arrive late. Later ones are written in another line.
const slack = 2 * time.Second

// second is the open second at a distance from the anchor.
func (c *collector) second(t int) *second {
	if c.last == nil || c.last.T != t {
		if c.last = c.seconds[t]; c.last == nil {
			c.last = newSecond(t)
			c.seconds[t] = c.last
			c.length = max(c.length, t+1)
		}
	}
	return c.last
}

// reached notes a sign of load.
func (c *collector) reached(since time.Duration) {
	c.second(seconds(since))
	c.latest = max(c.latest, since)
}

// final removes and returns the lines of the seconds that are final at a time, ascending; late lines come with them.
func (c *collector) final(now time.Time) []*second {
	if c.anchor.IsZero() && !c.firstEnd.IsZero() && now.Sub(c.firstEnd) >= settle {
		c.release()
	}
	if c.anchor.IsZero() {
		return nil
	}
	if before := int((now.Sub(c.anchor) - slack) / time.Second); min(before, c.length) > c.next {
		return c.take(before)
	}
	return nil
}

// take removes and returns the late lines and those of the seconds before one; seconds without any
// sample are among them.
func (c *collector) take(before int) []*second {
	var lines []*second
	for t, late := range c.seconds {
		if t < c.next {
			lines = append(lines, late)
		}
	}
	slices.SortFunc(lines, func(a, b *second) int { return cmp.Compare(a.T, b.T) })
	for ; c.next < min(before, c.length); c.next++ {
		line := c.second(c.next)
		line.Pause = c.pauses.longest(line.T, &line.ends)
		if c.schedule != nil {
			due := c.schedule.dueIn(c.next)
			line.Due = &due
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		delete(c.seconds, line.T)
	}
	c.last = nil
	c.total.Lines += len(lines)
	return lines
}

// finish removes and returns the remaining lines and the line of totals. When the load was whole, each second of its
// schedule has a line.
func (c *collector) finish(whole bool) ([]*second, total) {
	if c.anchor.IsZero() {
		c.release()
	}
	for _, u := range c.users {
		if u.unfinished {
			c.interrupt(u)
		}
	}
	if !c.anchor.IsZero() {
		if c.schedule != nil && whole {
			c.length = max(c.length, int(math.Ceil((c.schedule.offset + c.schedule.length()).Seconds())))
		}
		c.total.Anchor = c.anchor.UTC().Format(time.RFC3339Nano)
		c.total.Ended = c.anchor.Add(c.latest).UTC().Format(time.RFC3339Nano)
	}
	lines := c.take(math.MaxInt)
	c.total.Seconds, c.total.Users = c.length, len(c.users)
	return lines, c.total
}

// inFlight adds an iteration to each second that it touches.
func (c *collector) inFlight(from, to time.Duration) {
	c.reached(to)
	c.overlap(from, to, func(s *second, part time.Duration) { s.InFlight += amount(part.Seconds()) })
}

// share divides a request among the seconds that it lived in, in proportion. In the open model it belongs to one.
func (c *collector) share(r request, add func(*second, amount)) {
	lived := r.to - r.from
	if c.schedule != nil || lived == 0 {
		add(c.second(r.second), 1)
		return
	}
	c.overlap(r.from, r.to, func(s *second, part time.Duration) { add(s, amount(part)/amount(lived)) })
}

// overlap calls for each second that from..to touches, with how much of it lies there.
func (c *collector) overlap(from, to time.Duration, add func(*second, time.Duration)) {
	from = max(from, 0)
	for t := from / time.Second; t*time.Second < to; t++ {
		add(c.second(int(t)), min(to, (t+1)*time.Second)-max(from, t*time.Second))
	}
}

func seconds(since time.Duration) int { return int(max(since, 0) / time.Second) }

// milliseconds64 is a time in milliseconds, to the microsecond.
func milliseconds64(d time.Duration) *float64 {
	ms := float64(d.Microseconds()) / 1000
	return &ms
}

// milliseconds turns k6's unit of time into a duration.
func milliseconds(value float64) time.Duration {
	return time.Duration(math.Round(value * float64(time.Millisecond)))
}
