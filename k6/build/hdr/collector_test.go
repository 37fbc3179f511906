package hdr

import (
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"go.k6.io/k6/lib/netext/httpext"
	"go.k6.io/k6/metrics"
)

func TestSetupAndTeardownAreLeftOut(t *testing.T) {
	l := newLoad()
	for _, test := range []struct {
		name          string
		enabled       *metrics.SystemTagSet
		tags          *metrics.TagSet
		in, undecided bool
	}{
		{"load, by scenario", tagSet(metrics.TagScenario, metrics.TagGroup), l.ok, true, false},
		{"load in a group named setup", tagSet(metrics.TagScenario, metrics.TagGroup), l.ok.With("group", "::setup"), true, false},
		{"setup, by scenario", tagSet(metrics.TagScenario), l.root, false, false},
		{"load, by group", tagSet(metrics.TagGroup), l.root.With("group", "::reports"), true, false},
		{"setup, by group", tagSet(metrics.TagGroup), l.root.With("group", "::setup"), false, false},
		{"group in teardown, by group", tagSet(metrics.TagGroup), l.root.With("group", "::teardown::x"), false, false},
		{"neither tag", tagSet(), nil, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			inLoad, err := phaseFromTags(test.enabled)
			equal(t, "undecided", err != nil, test.undecided)
			if err != nil {
				return
			}
			c := newCollector(l.builtin, inLoad, nil)
			c.add([]metrics.SampleContainer{
				l.request(test.tags, 1, 0.5), l.sample(l.trend, test.tags, 1, 1), l.sample(l.builtin.Checks, test.tags, 1, 1),
			})
			got := finished(t, c)
			equal(t, "requests", got.total.Requests == 1, test.in)
			equal(t, "trends", got.all.Trends["query"].Count == 1, test.in)
			equal(t, "checks", got.all.Checked == 1, test.in)
		})
	}
}

func tagSet(tags ...metrics.SystemTag) *metrics.SystemTagSet {
	return metrics.NewSystemTagSet(append(tags, metrics.TagStatus, metrics.TagExpectedResponse, metrics.TagVU)...)
}

func TestErrorClass(t *testing.T) {
	l := newLoad()
	for _, test := range []struct{ status, expected, want string }{
		{"200", "true", ""},
		{"404", "true", ""},
		{"404", "false", "status_4xx"},
		{"503", "false", "status_5xx"},
		{"301", "false", "status_other"},
		{"0", "false", "transport"},
		{"200", "", ""},
		{"302", "", ""},
		{"500", "", "status_5xx"},
		{"0", "", "transport"},
	} {
		tags := l.vu.With("status", test.status)
		if test.expected != "" {
			tags = tags.With("expected_response", test.expected)
		}
		equal(t, test.status+" "+test.expected, errorClass(tags), test.want)
	}
}

// TestClosedModel: a request counts in each second by the share of its life there; its latency in the second in which it began.
func TestClosedModel(t *testing.T) {
	l := newLoad()
	c := l.collector()
	failed := l.vu.With("status", "503").With("expected_response", "false")
	c.add(l.asks(l.ok, 0, 0.5))
	c.add(l.asks(l.ok, 0.5, 2.5)) // a quarter of it in second 0, half in second 1, a quarter in second 2
	c.add([]metrics.SampleContainer{l.sample(l.builtin.Checks, l.vu, 2.5, 0)})
	c.add([]metrics.SampleContainer{l.sample(l.builtin.Checks, l.vu, 2.5, 0)}) // of the same request
	c.add(l.user(2).asks(failed, 1, 3))
	got := finished(t, c)
	for second, want := range []struct{ requests, check, status float64 }{{1.25, 0.25, 0}, {1, 0.5, 0.5}, {0.75, 0.25, 0.5}} {
		s := got.seconds[second]
		near(t, fmt.Sprint("requests of second ", second), s.Requests, want.requests)
		near(t, fmt.Sprint("wrong answers of second ", second), s.Errors["check"], want.check)
		near(t, fmt.Sprint("errors of second ", second), s.Errors["status_5xx"], want.status)
	}
	equal(t, "begun in second 0", got.seconds[0].Latency.Count, 2)
	equal(t, "begun in second 1", got.seconds[1].Latency.Count, 1)
	near(t, "checked in second 0", got.seconds[0].Checked, 0.25)
	equal(t, "answers in second 2", got.seconds[2].Answers, 1)
	equal(t, "requests", got.total.Requests, 3)
	equal(t, "errors", fmt.Sprint(got.total.Errors), "map[check:1 status_5xx:1]")
	equal(t, "users", got.total.Users, 2)
	near(t, "all had an answer by", float64(got.total.AnsweredBy), 3)
}

// TestCheckedTogether: where several requests of an iteration are checked when all are answered, a check that fails again is another's
// error, and no iteration has more errors than requests.
func TestCheckedTogether(t *testing.T) {
	l := newLoad()
	c := l.collector()
	wrong := func(name string, at float64) {
		c.add([]metrics.SampleContainer{l.sample(l.builtin.Checks, l.vu.With("check", name), at, 0)})
	}
	ask := func(end float64) { c.add([]metrics.SampleContainer{l.request(l.ok, end, 0.5)}) }
	for start := 0.0; start < 3; start++ {
		ask(start + 0.5)
		ask(start + 0.5)
		ask(start + 0.5)
		for range int(2*start) + 1 { // 1, 3 and 5
			wrong("right", start+0.5)
		}
		wrong("whole", start+0.5) // of one that failed already
		c.add(l.iteration(start, start+0.5))
	}
	got := finished(t, c)
	equal(t, "requests", got.total.Requests, 9)
	equal(t, "errors", fmt.Sprint(got.total.Errors), "map[check:7]")
}

// TestNeverAnswered: requests that failed without an answer, and those under way when k6 stops waiting, are no latency.
func TestNeverAnswered(t *testing.T) {
	l := newLoad()
	c := l.collector()
	c.add(l.asks(l.vu.With("status", "0").With("expected_response", "false"), 0, 0.25))
	c.add(l.asks(l.ok, 0.25, 0.75))
	c.add([]metrics.SampleContainer{l.cut(4.75)}) // cut short: it began at 0.75
	got := finished(t, c)
	equal(t, "never answered", got.seconds[0].Unanswered, unanswered{Count: 2, LeastUs: 250_000, MostUs: 4_000_000})
	equal(t, "latencies", got.all.Latency.Count, 1)
	equal(t, "errors", fmt.Sprint(got.total.Errors), "map[transport:1 unanswered:1]")
	near(t, "the interrupted one's part in second 0", got.seconds[0].Errors["unanswered"], 0.0625)
	near(t, "in flight in second 2", got.seconds[2].InFlight, 1)
	equal(t, "answers", got.all.Answers, 1)
	equal(t, "interrupted iterations", got.total.InterruptedIterations, 1)
	equal(t, "users that had an answer", got.total.UsersAnswered, 1)
}

// TestNeverConnected: k6 gives no times of a request that got no connection. It lived from when its user was free, or from the request before it.
func TestNeverConnected(t *testing.T) {
	l := newLoad()
	c := l.collector()
	unconnected := func(end float64) metrics.SampleContainer {
		return l.trail(l.vu.With("status", "0").With("expected_response", "false"), end, httpext.Trail{})
	}
	c.add(l.asks(l.ok, 0, 0.5))
	c.add(append([]metrics.SampleContainer{unconnected(30.5), unconnected(31.5)}, l.iteration(0.5, 31.5)...))
	got := finished(t, c)
	equal(t, "begun in second 0", got.seconds[0].Unanswered, unanswered{Count: 1, LeastUs: 30_000_000, MostUs: 30_000_000})
	equal(t, "begun in second 30", got.seconds[30].Unanswered, unanswered{Count: 1, LeastUs: 1_000_000, MostUs: 1_000_000})
	near(t, "requests of second 0", got.seconds[0].Requests, 1+0.5/30)
	near(t, "errors of second 10", got.seconds[10].Errors["transport"], 1.0/30)
	equal(t, "requests", got.total.Requests, 3)
	equal(t, "connections", got.total.Connections, 0)
}

// TestConnections: latency is what was blocked and what it took; a request that Go's client repeated unseen is known by its trail.
func TestConnections(t *testing.T) {
	l := newLoad()
	c := l.collector()
	address := &net.TCPAddr{}
	trail := func(end float64, trail httpext.Trail) metrics.SampleContainer {
		return l.trail(l.ok, end, trail)
	}
	c.add([]metrics.SampleContainer{
		trail(0.3, httpext.Trail{Blocked: 200 * time.Millisecond, Connecting: 150 * time.Millisecond, Duration: 100 * time.Millisecond, ConnRemoteAddr: address}),
		trail(0.4, httpext.Trail{Duration: 100 * time.Millisecond, ConnReused: true, ConnRemoteAddr: address}),
		trail(0.9, httpext.Trail{Blocked: 50 * time.Millisecond, Duration: 500 * time.Millisecond, ConnRemoteAddr: address}), // repeated
	})
	got := finished(t, c)
	equal(t, "latencies", fmt.Sprint(got.all.Latency.Min, got.all.Latency.Max, got.all.Latency.Sum), "100000 500000 900000")
	equal(t, "connections", got.total.Connections, 2)
	equal(t, "repeated", got.total.Repeated, 1)
	equal(t, "times to connect", fmt.Sprint(got.all.Connect.Counts), "[[149952 1]]")
}

// TestScriptTrends: a trend belongs to the second of the request before it; time is in microseconds, the rest in thousandths.
func TestScriptTrends(t *testing.T) {
	l := newLoad()
	c := l.collector()
	c.add([]metrics.SampleContainer{
		l.request(l.ok, 1.5, 1.25),
		l.sample(l.trend, l.vu, 1.5, 2), l.sample(l.plain, l.vu, 1.5, 2), l.sample(l.builtin.GroupDuration, l.vu, 1.75, 1),
	})
	got := finished(t, c)
	equal(t, "time in microseconds", got.seconds[0].Trends["query"].Sum, 2000)
	equal(t, "other trends in thousandths", got.seconds[0].Trends["rows"].SumMilli, 2000)
	equal(t, "trends", len(got.all.Trends), 2)
}

// TestQuestionsAreRequests: k6/lib/sql.js asks without HTTP.
func TestQuestionsAreRequests(t *testing.T) {
	l := newLoad()
	duration := metrics.NewRegistry().MustNewMetric(sqlDuration, metrics.Trend, metrics.Time)
	c := l.collector()
	c.add(slices.Concat(l.iteration(0, 0.5), []metrics.SampleContainer{
		l.sample(duration, l.vu, 1.5, 1000), l.sample(l.builtin.Checks, l.vu, 1.5, 0),
	}))
	got := finished(t, c)
	near(t, "requests of second 1", got.seconds[1].Requests, 0.5)
	near(t, "errors of second 1", got.seconds[1].Errors["check"], 0.5)
	equal(t, "latency", got.seconds[0].Latency.Sum, 1_000_000)
	equal(t, "trends", len(got.all.Trends), 0)
}
