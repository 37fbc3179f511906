package hdr

import (
	"math"
	"slices"
	"time"

	"go.k6.io/k6/lib/netext/httpext"
	"go.k6.io/k6/metrics"
)

const (
	// settle is how long after the end of the first iteration the anchor is fixed, so that an earlier
	// iteration that took longer still counts. Samples are held until then, but at most maxHeld containers.
	settle  = time.Second
	maxHeld = 1 << 17

	// sqlDuration is the trend of k6/lib/sql.js. Its questions are requests that k6 knows nothing of.
	sqlDuration = "pglab_sql_duration"
)

// Classes of requests that were never answered.
const (
	transport   = "transport"
	interrupted = "unanswered"
)

// collector sorts samples into seconds counted from the anchor, the start of the load.
type collector struct {
	builtin  *metrics.BuiltinMetrics
	ignored  map[*metrics.Metric]bool // built-in trends that are not recorded
	inLoad   phase
	schedule *schedule       // nil in the closed model
	thinks   bool            // an iteration ends with a pause: in flight are requests, not iterations
	tags     *metrics.TagSet // the last tags asked about, and the answer
	tagsIn   bool

	begin    time.Time // agreed among several generators; zero without
	anchor   time.Time // zero until known
	held     []metrics.SampleContainer
	firstEnd time.Time // the end of the first iteration that was seen

	users   map[string]*user
	seconds map[int]*second // not yet written
	last    *second         // the one used last
	next    int             // the first second that has not been written
	length  int             // seconds up to the last that had load
	latest  time.Duration
	total   total
	pauses  pauses
	early   bool // the load began before the agreed beginning
	stray   bool // an iteration of the open model does not say which arrival it is
}

func newCollector(builtin *metrics.BuiltinMetrics, inLoad phase, schedule *schedule) *collector {
	ignored := map[*metrics.Metric]bool{}
	for _, metric := range []*metrics.Metric{
		builtin.GroupDuration, builtin.WSPing, builtin.WSSessionDuration, builtin.WSConnecting, builtin.GRPCReqDuration,
	} {
		ignored[metric] = true
	}
	return &collector{
		builtin: builtin, ignored: ignored, inLoad: inLoad, schedule: schedule,
		users: map[string]*user{}, seconds: map[int]*second{}, total: total{Type: "total", Errors: map[string]int64{}},
	}
}

// add takes in samples that k6 emitted.
func (c *collector) add(containers []metrics.SampleContainer) {
	for _, container := range containers {
		if c.anchor.IsZero() {
			c.hold(container)
		} else {
			c.record(container)
		}
	}
}

func (c *collector) isLoad(tags *metrics.TagSet) bool {
	if tags != c.tags {
		c.tags, c.tagsIn = tags, c.inLoad(tags)
	}
	return c.tagsIn
}

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

// earliest is how long before the agreed beginning a load may begin: k6's sleep is not exact.
const earliest = 100 * time.Millisecond

// since is a moment after the anchor.
func (c *collector) since(at time.Time) time.Duration { return max(at.Sub(c.anchor), 0) }

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

// record puts a container's samples where they belong. Those of one HTTP request come as one.
func (c *collector) record(container metrics.SampleContainer) {
	if trail, ok := container.(*httpext.Trail); ok {
		if c.isLoad(trail.Tags) {
			c.http(trail)
		}
		return
	}
	samples := container.GetSamples()
	for i := range samples {
		c.sample(&samples[i])
	}
}

func (c *collector) sample(s *metrics.Sample) {
	since := c.since(s.Time)
	switch s.Metric {
	case c.builtin.VUs:
		if s.Value > 0 {
			c.reached(since)
		}
		return
	case c.builtin.DroppedIterations:
		if c.schedule != nil {
			c.schedule.drops = append(c.schedule.drops, since)
		}
		return
	}
	if !c.isOfUser(s) {
		return
	}
	u := c.user(s.Metadata)
	switch {
	case s.Metric == c.builtin.DataSent: // once at the end of each iteration, also of one that was cut short
		u.unfinished, u.ended = true, since
	case s.Metric == c.builtin.IterationDuration: // of whole ones only
		c.iteration(u, since-milliseconds(s.Value), since)
	case s.Metric == c.builtin.Checks:
		c.check(u, since, checkName(s.Tags), s.Value != 0)
	case s.Metric.Name == sqlDuration:
		c.request(u, since-milliseconds(s.Value), since, "")
	default:
		c.trend(c.lastOf(u, since).second, s)
	}
}

// isOfUser tells whether a sample, which is none of an HTTP request, is recorded for the VU that it comes from.
func (c *collector) isOfUser(s *metrics.Sample) bool {
	switch s.Metric {
	case c.builtin.DataSent, c.builtin.Checks:
	default:
		if s.Metric.Type != metrics.Trend || c.ignored[s.Metric] {
			return false
		}
	}
	return c.isLoad(s.Tags)
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

// http records a request. Of one that never had a connection k6 knows no time but its end.
func (c *collector) http(trail *httpext.Trail) {
	u := c.user(trail.Metadata)
	to := c.since(trail.EndTime)
	from := to - life(trail)
	if trail.ConnRemoteAddr == nil {
		from = u.idle()
	}
	c.request(u, from, to, errorClass(trail.Tags))
	if opened(trail) {
		c.total.Connections++
		if repeated(trail) {
			c.total.Repeated++
		} else {
			recordTime(&c.second(u.last.second).Connect, trail.Connecting)
		}
	}
}

func opened(trail *httpext.Trail) bool { return trail.ConnRemoteAddr != nil && !trail.ConnReused }

// repeated tells whether a request was sent twice. When a kept-alive connection is closed instead of an answer, Go's HTTP
// client sends the request once more, over another connection, and k6 says nothing of it; but its tracer has noted the first
// connection, and connecting the second seems to have taken no time.
func repeated(trail *httpext.Trail) bool { return opened(trail) && trail.Connecting == 0 }

// life is how long a request took, from when k6 asked for a connection.
func life(trail *httpext.Trail) time.Duration {
	if repeated(trail) {
		return trail.Duration // from the first connection on
	}
	return trail.Blocked + trail.Duration
}

// request records one that lived from..to, with the class of its error, "" for a success.
func (c *collector) request(u *user, from, to time.Duration, class string) {
	c.reached(to)
	from = max(min(from, to), 0)
	u.last = request{from: from, to: to, second: c.belongs(u, from), failed: class != ""}
	c.total.Requests++
	if c.thinks {
		c.inFlight(from, to)
	}
	c.share(u.last, func(s *second, part amount) { s.Requests += part })
	if class != "" {
		c.failed(u.last, class)
	} else {
		u.right++
	}
	answered := class != transport && class != interrupted
	if answered {
		s := c.second(seconds(to))
		s.Answers++
		s.ends.add(to, to-from)
		c.firstAnswer(u, to)
	}
	s := c.second(u.last.second)
	switch {
	case c.schedule != nil && answered:
		recordTime(&s.FromSend, to-from)
	case c.schedule != nil:
		u.lost = true
	case answered:
		recordTime(&s.Latency, to-from)
	default:
		s.addUnanswered(to - from)
	}
}

func (c *collector) firstAnswer(u *user, at time.Duration) {
	if !u.answered {
		u.answered = true
		c.total.UsersAnswered++
		c.total.AnsweredBy = max(c.total.AnsweredBy, amount(at.Seconds()))
	}
}

func checkName(tags *metrics.TagSet) string {
	name, _ := tags.Get(metrics.TagCheck.String())
	return name
}

// check records whether a body is right. It is about the last request, of which it makes one error at most, whatever checks of it
// fail; one that fails for the second time is about another request of the iteration, as where several are checked together.
func (c *collector) check(u *user, since time.Duration, name string, right bool) {
	last := c.lastOf(u, since)
	if !last.checked {
		last.checked = true
		c.share(*last, func(s *second, part amount) { s.Checked += part })
	}
	if right {
		return
	}
	again := slices.Contains(last.wrong, name)
	switch {
	case !last.failed:
		last.failed = true
	case !again || u.right == 0:
		return
	}
	if !again {
		last.wrong = append(last.wrong, name)
	}
	u.right = max(u.right-1, 0)
	c.failed(*last, "check")
}

func (c *collector) failed(r request, class string) {
	c.total.Errors[class]++
	c.share(r, func(s *second, part amount) { s.Errors[class] += part })
}

func (c *collector) trend(t int, s *metrics.Sample) {
	into := c.second(t)
	h := into.Trends[s.Metric.Name]
	if h == nil {
		if into.Trends == nil {
			into.Trends = map[string]*histogram{}
		}
		h = newHistogram(s.Metric.Contains)
		into.Trends[s.Metric.Name] = h
	}
	h.record(s.Value)
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
