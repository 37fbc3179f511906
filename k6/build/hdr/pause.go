package hdr

import "time"

// tick is how finely the ends of requests are known in the search for pauses.
const tick = 10 * time.Millisecond

// ends holds, for each tick of a second, how long the longest of the requests that were answered in it had been under way;
// zero where none was answered.
type ends [time.Second / tick]time.Duration

func (e *ends) add(at, lived time.Duration) {
	e[at%time.Second/tick] = max(e[at%time.Second/tick], lived, 1)
}

// pauses looks for times without any answer while a request was under way throughout: those that percentiles of the closed
// model hardly show, as each user has but one request in them.
type pauses struct {
	last time.Duration // the tick of the last answer, since the anchor
}

// pause is a line's part about the longest pause that came to its end in its second.
type pause struct {
	FromMs int64 `json:"from_ms"` // after the anchor
	Ms     int64 `json:"ms"`
}

// longest is the longest pause that came to its end in second t, nil if none did. Seconds are handed over in order.
func (p *pauses) longest(t int, e *ends) *pause {
	var from, longest time.Duration
	for i, lived := range e {
		if lived == 0 {
			continue
		}
		at := time.Duration(t)*time.Second + time.Duration(i)*tick
		if lasted := at - p.last; lasted > longest && lived > lasted-2*tick {
			from, longest = p.last, lasted
		}
		p.last = at
	}
	if longest <= 2*tick {
		return nil
	}
	return &pause{FromMs: from.Milliseconds(), Ms: longest.Milliseconds()}
}
