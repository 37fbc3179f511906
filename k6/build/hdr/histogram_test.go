package hdr

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"go.k6.io/k6/metrics"
)

// TestPercentiles compares the file's percentiles with exact ones, of 10^6 requests.
func TestPercentiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{ // milliseconds
		"uniform":   func() float64 { return 0.5 + 99.5*random.Float64() },
		"lognormal": func() float64 { return math.Exp(math.Log(3) + random.NormFloat64()) },
		"bimodal": func() float64 {
			if random.Float64() < 0.93 {
				return 0.2 + random.ExpFloat64()/10
			}
			return 800 + 20*random.NormFloat64()
		},
	} {
		t.Run(name, func(t *testing.T) {
			const n = 1_000_000
			l := newLoad()
			c := l.collector()
			exact := make([]float64, n)
			sum := 0.0
			for i := range exact {
				exact[i] = draw()
				sum += exact[i]
				c.add([]metrics.SampleContainer{l.sample(l.trend, l.ok, float64(i)*2e-5, exact[i])})
			}
			slices.Sort(exact)
			got := finished(t, c).all.Trends["query"]

			equal(t, "count", got.Count, n)
			within(t, "mean", float64(got.Sum)/n, sum/n*1000, 0.001)
			within(t, "min", float64(got.Min), math.Round(exact[0]*1000), 0)
			within(t, "max", float64(got.Max), math.Round(exact[n-1]*1000), 0)
			for _, p := range []float64{0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999} {
				want := exact[int(math.Ceil(p*n))-1] * 1000
				within(t, "percentile", float64(percentile(got, p, 0)), want, 0.01)
			}
		})
	}
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s: got %v, want %v within %v %%", what, got, want, 100*tolerance)
	}
}

// TestMergedOutputsEqualOne splits one load over two outputs.
func TestMergedOutputsEqualOne(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	l := newLoad()
	one, halves := l.collector(), [2]*collector{l.collector(), l.collector()}
	for i := range 20_000 {
		end := 1 + float64(i)/5000
		containers := l.asks(l.ok, end-random.ExpFloat64()/100, end)
		containers = append(containers, l.sample(l.plain, l.vu, end, float64(i%7)))
		one.add(containers)
		halves[i%2].add(containers)
	}
	want, a, b := finished(t, one).all, finished(t, halves[0]).all, finished(t, halves[1]).all
	got := a.plus(b)
	near(t, "requests", got.Requests, want.Requests)
	equal(t, "answers", got.Answers, want.Answers)
	if !reflect.DeepEqual(got.Latency, want.Latency) || !reflect.DeepEqual(got.Trends, want.Trends) {
		t.Error("the histograms of two outputs merged differ from those of one")
	}
}

func TestHistogramLine(t *testing.T) {
	for _, test := range []struct {
		name     string
		contains metrics.ValueType
		values   []float64
		want     string
	}{
		{"times in microseconds", metrics.Time, []float64{0.25, 0, 1.0004, 1}, `{"count":4,"sum_us":2250,"min_us":0,"max_us":1000,"counts":[[0,1],[250,1],[1000,2]]}`},
		{"the middle of a bucket", metrics.Time, []float64{5000}, `{"count":1,"sum_us":5000000,"min_us":5000000,"max_us":5000000,"counts":[[4999168,1]]}`},
		{"other units in thousandths", metrics.Default, []float64{1.5}, `{"count":1,"sum_milli":1500,"min_milli":1500,"max_milli":1500,"counts":[[1500,1]]}`},
		{"out of range", metrics.Time, []float64{-1, math.NaN(), 1}, `{"count":3,"sum_us":1000,"min_us":0,"max_us":1000,"clamped":2,"counts":[[0,2],[1000,1]]}`},
		{"above range", metrics.Time, []float64{math.Inf(1)}, `{"count":1,"sum_us":86400000000,"min_us":86400000000,"max_us":86400000000,"clamped":1,"counts":[[86402662400,1]]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHistogram(test.contains)
			for _, v := range test.values {
				h.record(v)
			}
			got, err := json.Marshal(h)
			check(t, err)
			equal(t, "line", string(got), test.want)
		})
	}
}
