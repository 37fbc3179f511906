package hdr

import (
	"fmt"
	"math"
	"testing"
	"time"

	"go.k6.io/k6/lib/executor"
	"go.k6.io/k6/lib/types"
	"go.k6.io/k6/metrics"
	"gopkg.in/guregu/null.v3"
)

// every is a schedule of some arrivals a second, for some seconds.
func every(rate, seconds float64) *schedule {
	return &schedule{arrivals: even{
		time.Duration(float64(time.Second) / rate),
		time.Duration(seconds * float64(time.Second)),
	}}
}

// TestSlowAnswersAtTheEnd: of 10 s at 100 a second the last 0.45 s hang, and are answered 20 s later: p99 is 20 s, not 5 ms.
func TestSlowAnswersAtTheEnd(t *testing.T) {
	l := newLoad()
	c := newCollector(l.builtin, hasScenario, every(100, 10))
	var lines []*second
	ask := func(i int, latency float64) {
		due := float64(i) / 100
		lines = append(lines, c.final(l.at(due+latency))...)
		c.add(l.user(i).serving(i, due/10).asks(l.ok, due, due+latency))
	}
	for i := range 955 {
		ask(i, 0.005)
	}
	for i := 955; i < 1000; i++ {
		ask(i, 20)
	}
	got := finished(t, c, lines...).window(0, 10)
	equal(t, "due", got.Due, 1000)
	equal(t, "arrivals", got.Arrivals, 1000)
	equal(t, "answered", got.Latency.Count, 1000)
	within(t, "p95", float64(percentile(got.Latency, 0.95, 0)), 5_000, 0.01)
	within(t, "p99", float64(percentile(got.Latency, 0.99, 0)), 20_000_000, 0.01)
}

// window adds the lines of some seconds.
func (p parsed) window(from, to int) (sum parsedSecond) {
	for t := from; t < to; t++ {
		sum = sum.plus(p.seconds[t])
	}
	return sum
}

// TestDroppedArrivals: 10 a second through one VU that takes 0.25 s. Two of three arrivals are dropped; those that are
// served are served when they are due, however many were dropped before.
func TestDroppedArrivals(t *testing.T) {
	l := newLoad()
	c := newCollector(l.builtin, hasScenario, every(10, 30))
	number := 0
	for tick := range 300 {
		at := float64(tick)/10 + 0.001 // the executor is a millisecond late
		if tick%3 > 0 {
			c.add([]metrics.SampleContainer{l.dropped(at)})
		} else {
			c.add(l.serving(number, at/30).asks(l.ok, at, at+0.25))
			number++
		}
	}
	got := finished(t, c).all
	equal(t, "due", got.Due, 300)
	equal(t, "arrivals", got.Arrivals, 100)
	equal(t, "lag", got.DispatchLag.Max, 1000)
	within(t, "latency", float64(got.Latency.Max), 250_000, 0.01)
}

// TestLateExecutor: k6 did not run for half a second. Then it serves those that are overdue, as long as it has VUs.
func TestLateExecutor(t *testing.T) {
	l := newLoad()
	c := newCollector(l.builtin, hasScenario, every(10, 2))
	for i := range 5 {
		at := float64(i) / 10
		c.add(l.user(i%3).serving(i, at/2).asks(l.ok, at, at+0.01))
	}
	for i := 5; i < 8; i++ { // due at 0.5 to 0.7, begun at 1; those due at 0.8 to 1 find no VU
		c.add(l.user(i%3).serving(i, 0.5).asks(l.ok, 1.0005, 1.01))
	}
	for range 3 {
		c.add([]metrics.SampleContainer{l.dropped(1.0001)})
	}
	c.add(l.user(1).serving(8, 0.55).asks(l.ok, 1.1, 1.11))
	got := finished(t, c)
	equal(t, "arrivals due in second 0", got.seconds[0].Arrivals, 8)
	equal(t, "never sent in second 0", got.seconds[0].Due-got.seconds[0].Arrivals, 2)
	within(t, "longest lag", float64(got.all.DispatchLag.Max), 500_500, 0.001)
	equal(t, "lag after it", got.seconds[1].DispatchLag.Max, 0)
}

// TestUnansweredArrivals: one fails, one is cut short 60 s after it was due: neither was answered.
func TestUnansweredArrivals(t *testing.T) {
	l := newLoad()
	c := newCollector(l.builtin, hasScenario, every(2, 2))
	c.add(l.user(1).serving(0, 0).asks(l.ok, 0, 0.1))
	c.add(l.user(1).serving(1, 0.25).asks(l.vu.With("status", "0"), 0.5, 0.6))
	c.add(l.user(1).serving(2, 0.5).asks(l.ok, 1, 1.25))
	c.add([]metrics.SampleContainer{l.user(2).serving(3, 0.75).cut(61.5)})
	got := finished(t, c)
	equal(t, "in second 0", got.seconds[0].Unanswered, unanswered{1, 100_000, 100_000})
	equal(t, "in second 1", got.seconds[1].Unanswered, unanswered{1, 60_000_000, 60_000_000})
	equal(t, "arrivals", got.all.Arrivals, 4)
	equal(t, "latencies", got.all.Latency.Count, 2)
	equal(t, "errors", fmt.Sprint(got.total.Errors), "map[transport:1 unanswered:1]")
	near(t, "requests due in second 1", got.seconds[1].Requests, 2)
	near(t, "in flight in second 40", got.seconds[40].InFlight, 1)
}

// TestScheduleStart: the schedule starts before the first iteration, by as much as its progress says.
func TestScheduleStart(t *testing.T) {
	l := newLoad()
	c := newCollector(l.builtin, hasScenario, every(10, 10))
	c.add(l.user(1).serving(0, 0.02).asks(l.ok, 0.25, 0.3))   // read 50 ms ahead: it took the script that long to look
	c.add(l.user(2).serving(1, 0.0150).asks(l.ok, 0.25, 0.3)) // read at once
	c.add(l.user(3).serving(2, 1).asks(l.ok, 0.35, 0.36))     // after the end the progress stands still
	got := finished(t, c)
	equal(t, "anchor", got.total.Anchor, l.at(0.1).Format(time.RFC3339Nano))
	within(t, "lag of the first", float64(got.all.DispatchLag.Max), 150_000, 0.001)
}

// In steps the first arrival, and each that is not kept waiting, begins when it is due; what the progress says counts from before that.
func TestScheduleStartInSteps(t *testing.T) {
	l := newLoad()
	c := newCollector(l.builtin, hasScenario, &schedule{arrivals: steps{{0, 10 * time.Second, 0, 10e-9}}})
	c.add(l.user(1).serving(0, 0.025).asks(l.ok, 0.35, 0.4))  // due after 0.1 s, and held up for 50 ms
	c.add(l.user(2).serving(1, 0.030).asks(l.ok, 0.40, 0.41)) // due after 0.2 s, and on time
	got := finished(t, c)
	equal(t, "anchor", got.total.Anchor, l.at(0.2).Format(time.RFC3339Nano))
	within(t, "lag of the first", float64(got.all.DispatchLag.Max), 50_000, 0.001)
}

func TestDueIn(t *testing.T) {
	for _, test := range []struct{ rate, seconds float64 }{{100, 8}, {300, 2}, {7, 3}, {1, 5}, {0.5, 5}, {1500, 1.5}} {
		s := every(test.rate, test.seconds)
		var all int64
		for second := range int(math.Ceil(test.seconds)) + 1 {
			all += s.dueIn(second)
		}
		equal(t, fmt.Sprint(test), all, int64((s.length()+s.arrivals.(even).period-1)/s.arrivals.(even).period))
	}
	equal(t, "first second of 300/s", every(300, 2).dueIn(0), 301) // k6 cuts the period to nanoseconds: the 301st is due 100 ns before
}

// TestSteps: at 10, then 30, then 10 arrivals a second: each is due as k6 reckons, and as many are due in each second.
func TestSteps(t *testing.T) {
	jump := func(rate int64) executor.Stage { return stage(rate, 0) }
	config := executor.NewRampingArrivalRateConfig("steps")
	config.StartRate = null.IntFrom(10)
	config.Stages = []executor.Stage{stage(10, 2*time.Second), jump(30), stage(30, 2*time.Second), jump(10), stage(10, 2*time.Second)}
	steps := stepsOf(config)
	equal(t, "steps", len(steps), 3)
	equal(t, "length", steps.length(), 6*time.Second)
	equal(t, "first", steps.at(0), 100*time.Millisecond)
	equal(t, "twenty-first", steps.at(20).Round(time.Microsecond), 2*time.Second+33333*time.Microsecond)
	s := &schedule{arrivals: steps}
	var due int64
	for second := range 6 {
		due += s.dueIn(second)
		within(t, fmt.Sprint("due in ", second), float64(s.dueIn(second)), []float64{9, 10, 30, 30, 10, 10}[second], 0.12)
	}
	for i := range int64(99) {
		equal(t, fmt.Sprint("before ", i), steps.before(steps.at(i)), i)
	}
	equal(t, "all", due, 99) // the last is due at the end
	config.Stages[1] = stage(30, time.Second)
	equal(t, "ramps", stepsOf(config) == nil, true)
}

func stage(rate int64, length time.Duration) executor.Stage {
	return executor.Stage{Target: null.IntFrom(rate), Duration: types.NullDurationFrom(length)}
}
