package hdr

import "time"

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
