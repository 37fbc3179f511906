package hdr

import (
	"slices"
	"time"

	"go.k6.io/k6/lib/netext/httpext"
	"go.k6.io/k6/metrics"
)

// sqlDuration is the trend of k6/lib/sql.js. Its questions are requests that k6 knows nothing of.
const sqlDuration = "pglab_sql_duration"

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
