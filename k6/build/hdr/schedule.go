package hdr

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/executor"
	"gopkg.in/guregu/null.v3"
)

// arrivalKey is the metadata in which k6/lib/schedule.js gives the number of an iteration, and how much of the scenario's
// duration had passed when it began: "17 0.0213".
const arrivalKey = "arrival"

// schedule is that of the open model. Of several generators that share it each has a stripe of the arrivals.
type schedule struct {
	arrivals
	stripe stripe
	offset time.Duration   // of its start after the anchor
	drops  []time.Duration // when k6 dropped an arrival, after the anchor, ascending
}

// arrivals are those of all generators, numbered from 0, in times after the scenario's start.
type arrivals interface {
	at(number int64) time.Duration // when one is due
	before(at time.Duration) int64 // how many are due earlier
	length() time.Duration         // of the scenario
}

// scheduleOf finds the one scenario of a test that has an arrival rate, which is constant or goes in steps; nil when that is not what it has.
func scheduleOf(options lib.Options) (*schedule, error) {
	if len(options.Scenarios) != 1 {
		return nil, nil
	}
	for _, scenario := range options.Scenarios {
		arrivals, vus := arrivalsOf(scenario)
		if arrivals == nil {
			return nil, nil
		}
		stripe, err := stripeOf(options.ExecutionSegment, options.ExecutionSegmentSequence, vus)
		return &schedule{arrivals: arrivals, stripe: stripe}, err
	}
	return nil, nil
}

// arrivalsOf a scenario, and how many VUs it may have; nil when it has no arrival rate, or one that grows or falls.
func arrivalsOf(scenario lib.ExecutorConfig) (arrivals, int64) {
	switch rate := scenario.(type) {
	case *executor.ConstantArrivalRateConfig:
		// the same rounding as in k6's executor
		period := time.Duration(float64(rate.TimeUnit.TimeDuration()) / float64(rate.Rate.Int64))
		return even{period, rate.Duration.TimeDuration()}, most(rate.PreAllocatedVUs, rate.MaxVUs)
	case *executor.RampingArrivalRateConfig:
		steps := stepsOf(rate)
		if steps == nil {
			return nil, 0
		}
		return steps, most(rate.PreAllocatedVUs, rate.MaxVUs)
	}
	return nil, 0
}

func most(allocated, most null.Int) int64 {
	if most.Valid {
		return most.Int64
	}
	return allocated.Int64
}

// even arrivals come one period after the other, the first at the start.
type even struct{ period, whole time.Duration }

func (e even) at(number int64) time.Duration { return time.Duration(number) * e.period }

func (e even) before(at time.Duration) int64 { return int64((at + e.period - 1) / e.period) }

func (e even) length() time.Duration { return e.whole }

// step is a time of one rate, in arrivals per nanosecond.
type step struct {
	from, to     time.Duration
	before, rate float64 // arrivals due before it
}

// steps are arrivals at one rate after another. As k6 has it, arrival number i is due when i+1 of them have come about, so the first is not due at once.
type steps []step

// stepsOf a scenario that jumps from rate to rate, in stages that take no time; nil when one of its stages goes up or down.
func stepsOf(config *executor.RampingArrivalRateConfig) steps {
	var all steps
	var at time.Duration
	var before float64
	unit := float64(config.TimeUnit.TimeDuration())
	rate := float64(config.StartRate.Int64) / unit
	for _, stage := range config.Stages {
		target, length := float64(stage.Target.Int64)/unit, stage.Duration.TimeDuration()
		if length > 0 && target != rate {
			return nil
		}
		if length > 0 {
			all = append(all, step{at, at + length, before, rate})
			before += rate * float64(length)
			at += length
		}
		rate = target
	}
	return all
}

func (s steps) at(number int64) time.Duration {
	i := float64(number + 1)
	for _, step := range s {
		if i <= step.before+step.rate*float64(step.to-step.from) {
			return step.from + time.Duration((i-step.before)/step.rate) // the same rounding as in k6's executor
		}
	}
	return s.length()
}

func (s steps) before(at time.Duration) int64 {
	var come float64
	for _, step := range s {
		if at > step.from {
			come = step.before + step.rate*float64(min(at, step.to)-step.from)
		}
	}
	n := int64(come)
	for n > 0 && s.at(n-1) >= at { // what rounding did
		n--
	}
	return n
}

func (s steps) length() time.Duration { return s[len(s)-1].to }

// due tells when the iteration of a number was due, after the anchor. k6 numbers only those that it starts, so the arrivals that it dropped
// before count too. Which those are is known: as long as the VU had been free, none was dropped.
func (s *schedule) due(number int64, free time.Duration) time.Duration {
	dropped, _ := slices.BinarySearch(s.drops, free)
	return s.offset + s.at(s.stripe.number(s.stripe.index(number)+int64(dropped)))
}

// dueIn counts the arrivals of this generator that are due in a second after the anchor.
func (s *schedule) dueIn(t int) int64 {
	before := func(at time.Duration) int64 {
		return s.stripe.below(s.before(max(min(at-s.offset, s.length()), 0)))
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

// start is when the schedule started, as an iteration that began at a time tells; false when it does not. At a constant rate that is when the scenario did:
// k6 reads the progress a moment after the iteration's begin, so the latest such start is the best. In steps it is when k6 had activated all
// VUs, of which the progress knows nothing; there no iteration begins before it is due, so the earliest such start is the best.
func (s *schedule) start(began time.Time, arrival string) (time.Time, bool) {
	if steps, ok := s.arrivals.(steps); ok {
		return began.Add(-steps.at(numberOf(arrival))), true
	}
	_, text, _ := strings.Cut(arrival, " ")
	progress, err := strconv.ParseFloat(text, 64)
	if err != nil || progress >= 1 { // where it stands still
		return time.Time{}, false
	}
	return began.Add(-time.Duration(math.Round(progress * float64(s.length())))), true
}

// better tells whether a start is a better one than another, see start.
func (s *schedule) better(one, other time.Time) bool {
	if _, ok := s.arrivals.(steps); ok {
		return other.IsZero() || one.Before(other)
	}
	return one.After(other)
}

// numberOf is an arrival's number among the iterations.
func numberOf(arrival string) int64 {
	text, _, _ := strings.Cut(arrival, " ")
	number, _ := strconv.ParseInt(text, 10, 64)
	return number
}
