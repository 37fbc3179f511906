package hdr

import (
	"time"

	"go.k6.io/k6/metrics"
)

const (
	// settle is how long after the end of the first iteration the anchor is fixed, so that an earlier
	// iteration that took longer still counts. Samples are held until then, but at most maxHeld.
	settle  = time.Second
	maxHeld = 1 << 18
)

// collector sorts samples into seconds counted from the anchor, the start of the load.
type collector struct {
	builtin *metrics.BuiltinMetrics
	ignored map[*metrics.Metric]bool // built-in trends that are not recorded
	inLoad  phase
	tags    *metrics.TagSet // the last tags asked about, and the answer
	tagsIn  bool

	anchor   time.Time // zero until known
	held     []metrics.Sample
	firstEnd time.Time // the end of the first iteration that was seen

	seconds  map[int]*second // not yet written
	last     *second         // the one used last
	next     int             // the first second that has not been written
	length   int             // seconds up to the last that had load
	vus      *int64          // as last written
	latest   time.Time
	inFlight []float64 // VU-seconds in each second
	ended    int64     // iterations that have ended, finished or cut short
	total    tally
}

func newCollector(builtin *metrics.BuiltinMetrics, inLoad phase) *collector {
	ignored := map[*metrics.Metric]bool{}
	for _, metric := range []*metrics.Metric{
		builtin.GroupDuration, builtin.HTTPReqBlocked, builtin.HTTPReqTLSHandshaking, builtin.HTTPReqSending,
		builtin.HTTPReqReceiving, builtin.WSPing, builtin.WSSessionDuration, builtin.WSConnecting, builtin.GRPCReqDuration,
	} {
		ignored[metric] = true
	}
	return &collector{
		builtin: builtin, ignored: ignored, inLoad: inLoad,
		seconds: map[int]*second{}, inFlight: []float64{}, total: newTally(),
	}
}

// add takes in samples that k6 emitted.
func (c *collector) add(samples []metrics.Sample) {
	for i := range samples {
		switch {
		case !c.wanted(&samples[i]):
		case c.anchor.IsZero():
			c.hold(samples[i])
		default:
			c.record(&samples[i])
		}
	}
}

// wanted tells whether a sample is to be recorded.
func (c *collector) wanted(s *metrics.Sample) bool {
	switch s.Metric {
	case c.builtin.VUs, c.builtin.DroppedIterations: // never from setup(), and without its tags
		return true
	case c.builtin.HTTPReqs, c.builtin.DataSent:
	case c.builtin.Checks:
		if s.Value != 0 {
			return false
		}
	default:
		if s.Metric.Type != metrics.Trend || c.ignored[s.Metric] {
			return false
		}
	}
	if s.Tags != c.tags {
		c.tags, c.tagsIn = s.Tags, c.inLoad(s.Tags)
	}
	return c.tagsIn
}

func (c *collector) hold(s metrics.Sample) {
	if s.Metric == c.builtin.IterationDuration && c.firstEnd.IsZero() {
		c.firstEnd = s.Time
	}
	if c.held = append(c.held, s); len(c.held) == maxHeld {
		c.release()
	}
}

// release fixes the anchor and records what was held: the anchor is the earliest sign of load among
// it, which is the start of an iteration or of a request where there are any.
func (c *collector) release() {
	for i := range c.held {
		s := &c.held[i]
		start := s.Time
		switch s.Metric {
		case c.builtin.IterationDuration, c.builtin.HTTPReqDuration:
			start = start.Add(-milliseconds(s.Value))
		case c.builtin.VUs:
			if s.Value == 0 {
				continue
			}
		}
		if c.anchor.IsZero() || start.Before(c.anchor) {
			c.anchor = start
		}
	}
	if !c.anchor.IsZero() {
		for i := range c.held {
			c.record(&c.held[i])
		}
	}
	c.held = nil
}

// record puts a sample into its second.
func (c *collector) record(s *metrics.Sample) {
	since := s.Time.Sub(c.anchor)
	if s.Metric == c.builtin.VUs {
		c.recordVUs(since, int64(s.Value))
		return
	}
	now := c.second(since)
	c.reached(now.T, s.Time)
	switch s.Metric {
	case c.builtin.HTTPReqs:
		now.Requests += int64(s.Value)
		if class := errorClass(s.Tags); class != "" {
			now.Errors[class] += int64(s.Value)
		}
	case c.builtin.Checks:
		now.Errors["check"]++
	case c.builtin.DroppedIterations:
		now.DroppedIterations += int64(s.Value)
	case c.builtin.DataSent: // once at the end of each iteration, also of one that was cut short
		c.ended++
	default:
		if s.Metric == c.builtin.IterationDuration {
			now.Iterations++
			c.addInFlight(since-milliseconds(s.Value), since)
		}
		h := now.Metrics[s.Metric.Name]
		if h == nil {
			h = newHistogram(s.Metric.Contains)
			now.Metrics[s.Metric.Name] = h
		}
		h.record(s.Value)
	}
}

// recordVUs notes the number of active VUs. Without any, there is no load: the second does not count as
// one of the run's unless load follows.
func (c *collector) recordVUs(since time.Duration, vus int64) {
	if since < 0 {
		return
	}
	now := c.second(since)
	now.VUs = &vus
	if vus > 0 {
		c.reached(now.T, c.anchor.Add(since))
	}
}

// addInFlight adds the overlap of one iteration, from..to after the anchor, to each second it touches.
func (c *collector) addInFlight(from, to time.Duration) {
	from = max(from, 0)
	for t := from / time.Second; t*time.Second < to; t++ {
		for len(c.inFlight) <= int(t) {
			c.inFlight = append(c.inFlight, 0)
		}
		overlap := min(to, (t+1)*time.Second) - max(from, t*time.Second)
		c.inFlight[t] += overlap.Seconds()
	}
}

// milliseconds turns k6's unit of time into a duration.
func milliseconds(value float64) time.Duration {
	return time.Duration(value * float64(time.Millisecond))
}
