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

// schedule is that of the open model: arrival i is due i periods after the scenario's start. Of several generators that share it each has a
// stripe of the arrivals.
type schedule struct {
	period, duration time.Duration
	stripe           stripe
	offset           time.Duration   // of its start after the anchor
	drops            []time.Duration // when k6 dropped an arrival, after the anchor, ascending
}

// scheduleOf finds the one constant-arrival-rate scenario of a test; nil when that is not what it has.
func scheduleOf(options lib.Options) (*schedule, error) {
	if len(options.Scenarios) != 1 {
		return nil, nil
	}
	for _, scenario := range options.Scenarios {
		rate, ok := scenario.(*executor.ConstantArrivalRateConfig)
		if !ok {
			return nil, nil
		}
		vus := rate.PreAllocatedVUs.Int64
		if rate.MaxVUs.Valid {
			vus = rate.MaxVUs.Int64
		}
		stripe, err := stripeOf(options.ExecutionSegment, options.ExecutionSegmentSequence, vus)
		// the same rounding as in k6's executor
		period := time.Duration(float64(rate.TimeUnit.TimeDuration()) / float64(rate.Rate.Int64))
		return &schedule{period: period, duration: rate.Duration.TimeDuration(), stripe: stripe}, err
	}
	return nil, nil
}

// due tells when the iteration of a number was due, after the anchor. k6 numbers only those that it starts, so the arrivals that it dropped
// before count too. Which those are is known: as long as the VU had been free, none was dropped.
func (s *schedule) due(number int64, free time.Duration) time.Duration {
	dropped, _ := slices.BinarySearch(s.drops, free)
	return s.offset + time.Duration(s.stripe.number(s.stripe.index(number)+int64(dropped)))*s.period
}

// dueIn counts the arrivals of this generator that are due in a second after the anchor.
func (s *schedule) dueIn(t int) int64 {
	before := func(at time.Duration) int64 {
		at = max(min(at-s.offset, s.duration), 0)
		return s.stripe.below(int64((at + s.period - 1) / s.period))
	}
	return before(time.Duration(t+1)*time.Second) - before(time.Duration(t)*time.Second)
}

// stripe is what k6 gives an execution segment of a schedule: the arrivals numbered first, first+gaps[0], first+gaps[0]+gaps[1], and so on, the gaps
// again and again. The zero value has all of them.
type stripe struct {
	first int64
	gaps  []int64
	round int64 // sum of the gaps
}

// stripeOf is that of a segment in a sequence of segments, both nil where one process makes the whole load. Arrivals are shared as the executor does it: in
// proportion to the VUs that each has, which are whole.
func stripeOf(segment *lib.ExecutionSegment, sequence *lib.ExecutionSegmentSequence, vus int64) (stripe, error) {
	if segment == nil && sequence == nil {
		return stripe{}, nil
	}
	tuple, err := lib.NewExecutionTuple(segment, sequence)
	if err == nil {
		tuple, err = tuple.GetNewExecutionTupleFromValue(vus)
	}
	if err != nil {
		return stripe{}, err
	}
	first, gaps, _ := tuple.GetStripedOffsets()
	var round int64
	for _, gap := range gaps {
		round += gap
	}
	return stripe{first: first, gaps: gaps, round: round}, nil
}

// number is that of the arrival with an index among this generator's own.
func (s stripe) number(index int64) int64 {
	if s.round == 0 {
		return index
	}
	n := int64(len(s.gaps))
	at := s.first + index/n*s.round
	for _, gap := range s.gaps[:index%n] {
		at += gap
	}
	return at
}

// below counts this generator's arrivals of a lower number.
func (s stripe) below(number int64) int64 {
	if s.round == 0 {
		return number
	}
	rest := number - s.first
	if rest <= 0 {
		return 0
	}
	count := rest / s.round * int64(len(s.gaps))
	rest %= s.round
	for at, i := int64(0), 0; at < rest; i++ {
		count++
		at += s.gaps[i]
	}
	return count
}

// index is that of an arrival of this generator among its own.
func (s stripe) index(number int64) int64 { return s.below(number) }

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
