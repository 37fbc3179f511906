package hdr

import (
	"time"

	"go.k6.io/k6/metrics"
)

// user is what is known of one VU. Times count from the anchor.
type user struct {
	free       time.Duration // end of its last iteration
	unfinished bool          // an iteration has ended, and was not reported as whole
	ended      time.Duration // when
	answered   bool          // it has had an answer
	last       request
	right      int // requests of its iteration that have not failed

	// the open model: the arrival that it serves
	arrival string
	due     time.Duration
	lost    bool // some request of it was not answered
}

// idle is since when it can have asked: it was free, its arrival due, and its last request ended.
func (u *user) idle() time.Duration { return max(u.free, u.due, u.last.to) }

// request is one that has ended.
type request struct {
	from, to time.Duration
	second   int // the one that it belongs to
	failed   bool
	checked  bool
	wrong    []string // checks of it that failed
}

// user finds the VU that a sample comes from, and notices that it serves another arrival than before.
func (c *collector) user(metadata map[string]string) *user {
	id := metadata[metrics.TagVU.String()]
	u := c.users[id]
	if u == nil {
		u = &user{}
		c.users[id] = u
	}
	if arrival := metadata[arrivalKey]; c.schedule != nil && arrival != u.arrival {
		u.arrival, u.due, u.lost, u.last = arrival, c.schedule.due(numberOf(arrival), u.free), false, request{}
	}
	return u
}

// belongs is the second that a request belongs to: that in which its user's arrival was due (open), or in which it began.
func (c *collector) belongs(u *user, began time.Duration) int {
	if c.schedule != nil {
		return seconds(u.due)
	}
	return seconds(began)
}

// lastOf is the request that a check or a trend of the script is about: the last one that the user has made. Where there is
// none it stands for itself.
func (c *collector) lastOf(u *user, since time.Duration) *request {
	if u.last.to == 0 {
		u.last = request{from: since, to: since, second: c.belongs(u, since)}
	}
	return &u.last
}

// iteration records one that ran to its end.
func (c *collector) iteration(u *user, from, to time.Duration) {
	if !c.thinks {
		c.inFlight(from, to)
	}
	if c.schedule != nil {
		c.stray = c.stray || u.arrival == ""
		s := c.second(seconds(u.due))
		recordTime(&s.DispatchLag, max(from-u.due, 0))
		answer := to
		if u.last.to > 0 {
			answer = u.last.to
		}
		c.arrived(u, answer)
	}
	u.free, u.unfinished, u.right = to, false, 0
}

// arrived records an arrival that was followed until it was answered, or given up.
func (c *collector) arrived(u *user, end time.Duration) {
	s := c.second(seconds(u.due))
	s.Arrivals++
	if u.lost {
		s.addUnanswered(end - u.due)
	} else {
		recordTime(&s.Latency, max(end-u.due, 0))
	}
}

// interrupt records the iteration that a user had under way when k6 stopped waiting. k6 tells neither when it began nor what
// it had asked: it began when the user was free, in the open model not before it was due, and had one request under way.
func (c *collector) interrupt(u *user) {
	if !c.thinks {
		c.inFlight(max(u.free, u.due), u.ended)
	}
	c.request(u, u.idle(), u.ended, interrupted)
	if c.schedule != nil {
		c.arrived(u, u.ended)
	}
	c.total.InterruptedIterations++
}
