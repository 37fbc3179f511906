package hdr

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/executor"
)

// arrivalKey is the metadata in which k6/lib/schedule.js gives the number of an iteration, and how much of the scenario's
// duration had passed when it began: "17 0.0213".
const arrivalKey = "arrival"

// schedule is that of the open model: arrival i is due i periods after the scenario's start.
type schedule struct {
	period, duration time.Duration
	drops            []time.Duration // when k6 dropped an arrival, after the start, ascending
}

// scheduleOf finds the one constant-arrival-rate scenario of a test; nil when that is not what it has.
func scheduleOf(options lib.Options) *schedule {
	for _, scenario := range options.Scenarios {
		rate, ok := scenario.(*executor.ConstantArrivalRateConfig)
		if !ok || len(options.Scenarios) > 1 {
			return nil
		}
		// the same rounding as in k6's executor
		period := time.Duration(float64(rate.TimeUnit.TimeDuration()) / float64(rate.Rate.Int64))
		return &schedule{period: period, duration: rate.Duration.TimeDuration()}
	}
	return nil
}

// due tells when the iteration of a number was due. k6 numbers only those that it starts, so the arrivals that it dropped
// before count too. Which those are is known: as long as the VU had been free, none was dropped.
func (s *schedule) due(number int64, free time.Duration) time.Duration {
	dropped, _ := slices.BinarySearch(s.drops, free)
	return time.Duration(number+int64(dropped)) * s.period
}

// dueIn counts the arrivals that are due in a second.
func (s *schedule) dueIn(t int) int64 {
	before := func(at time.Duration) int64 {
		return int64((min(at, s.duration) + s.period - 1) / s.period)
	}
	return before(time.Duration(t+1)*time.Second) - before(time.Duration(t)*time.Second)
}

// start is when the scenario started, as an iteration that began at a time tells; false when it does not. k6 reads the
// progress a moment after the iteration's begin, so the latest such start is the best.
func (s *schedule) start(began time.Time, arrival string) (time.Time, bool) {
	_, text, _ := strings.Cut(arrival, " ")
	progress, err := strconv.ParseFloat(text, 64)
	if err != nil || progress >= 1 { // where it stands still
		return time.Time{}, false
	}
	return began.Add(-time.Duration(math.Round(progress * float64(s.duration)))), true
}

// numberOf is an arrival's number among the iterations.
func numberOf(arrival string) int64 {
	text, _, _ := strings.Cut(arrival, " ")
	number, _ := strconv.ParseInt(text, 10, 64)
	return number
}
