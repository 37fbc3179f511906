package hdr

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"go.k6.io/k6/lib"
)

// stripes are those of so many generators that share some VUs.
func stripes(t *testing.T, of int, vus int64) []stripe {
	t.Helper()
	var sequence lib.ExecutionSegmentSequence
	for i := range of {
		from, to := big.NewRat(int64(i), int64(of)), big.NewRat(int64(i+1), int64(of))
		segment, err := lib.NewExecutionSegment(from, to)
		check(t, err)
		sequence = append(sequence, segment)
	}
	var all []stripe
	for _, segment := range sequence {
		s, err := stripeOf(segment, &sequence, vus)
		check(t, err)
		all = append(all, s)
	}
	return all
}

// TestStripes: each arrival is one generator's, and index and number are each other's inverse.
func TestStripes(t *testing.T) {
	for _, test := range []struct {
		of  int
		vus int64
	}{{2, 50}, {3, 100}, {4, 10}, {7, 1000}, {5, 5}} {
		owners := map[int64]int{}
		var below int64
		for _, s := range stripes(t, test.of, test.vus) {
			for i := range int64(2000) {
				number := s.number(i)
				if number >= 1000 {
					break
				}
				owners[number]++
				equal(t, fmt.Sprint(test, " index of ", number), s.index(number), i)
			}
			below += s.below(1000)
		}
		equal(t, fmt.Sprint(test, " arrivals"), len(owners), 1000)
		equal(t, fmt.Sprint(test, " below"), below, 1000)
	}
}

// TestSharedSchedule: of two generators each knows what is due of its own, and counts from the agreed beginning, 20 ms before the load's.
func TestSharedSchedule(t *testing.T) {
	l := newLoad()
	begin := l.at(-0.02)
	var due int64
	for i, s := range stripes(t, 2, 50) {
		c := newCollector(l.builtin, hasScenario, every(10, 2))
		c.schedule.stripe, c.begin = s, begin
		for index := range int64(10) {
			number := s.number(index)
			at := float64(number) / 10
			c.add(l.user(1).serving(int(number), at/2).asks(l.ok, at, at+0.01))
		}
		got := finished(t, c)
		equal(t, fmt.Sprint("anchor of ", i), got.total.Anchor, begin.Format(time.RFC3339Nano))
		within(t, "began after", *got.total.BeganAfter, 20, 0.001)
		equal(t, "arrivals", got.all.Arrivals, 10)
		within(t, "longest lag", float64(got.all.DispatchLag.Max)+1, 1, 0.5)
		due += got.all.Due
	}
	equal(t, "due of both", due, 20)
}

// TestSharedUsers: in the closed model seconds count from the agreed beginning, too.
func TestSharedUsers(t *testing.T) {
	l := newLoad()
	c := l.collector()
	c.begin = l.at(-0.5)
	c.add(l.asks(l.ok, 0.25, 0.45)) // 0.75 s after it
	c.add(l.asks(l.ok, 0.6, 0.7))   // 1.1 s after it
	got := finished(t, c)
	equal(t, "anchor", got.total.Anchor, c.begin.Format(time.RFC3339Nano))
	within(t, "began after", *got.total.BeganAfter, 750, 0.001)
	equal(t, "in the first second", got.seconds[0].Latency.Count, 1)
	equal(t, "in the next", got.seconds[1].Latency.Count, 1)
}

func TestArgument(t *testing.T) {
	path, begin, err := argument("a,b.ndjson,begin=1700000000123")
	check(t, err)
	equal(t, "path", path, "a,b.ndjson")
	equal(t, "begin", begin.UnixMilli(), 1700000000123)
	for _, text := range []string{"", ",begin=1", "x,begin=", "x,begin=soon", "x,begin=-5"} {
		if _, _, err := argument(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestEarlyBeginning: a load that begins two seconds before the agreed instant is noticed, and one that does so by 5 ms counts from it.
func TestEarlyBeginning(t *testing.T) {
	for _, test := range []struct {
		by    float64
		early bool
	}{{2, true}, {0.005, false}} {
		l := newLoad()
		c := newCollector(l.builtin, hasScenario, nil)
		c.begin = l.at(test.by)
		for i := range 20 {
			at := float64(i) / 10
			c.add(l.user(1).asks(l.ok, at, at+0.001))
		}
		got := finished(t, c)
		equal(t, "early", c.early, test.early)
		equal(t, "requests", got.total.Requests, 20)
		near(t, "began after", *got.total.BeganAfter, -1000*test.by)
	}
}
