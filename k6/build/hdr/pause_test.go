package hdr

import (
	"testing"
	"time"
)

func TestPauses(t *testing.T) {
	const ms = time.Millisecond
	type answer struct{ at, lived time.Duration }
	for name, test := range map[string]struct {
		answers []answer
		want    []time.Duration // by second
	}{
		"steady":                             {[]answer{{5 * ms, 5 * ms}, {15 * ms, 10 * ms}, {1005 * ms, 1 * ms}}, []time.Duration{0, 0}},
		"nothing was asked":                  {[]answer{{105 * ms, 5 * ms}, {905 * ms, 5 * ms}}, []time.Duration{0}},
		"asked, and not answered":            {[]answer{{105 * ms, 5 * ms}, {905 * ms, 798 * ms}}, []time.Duration{800 * ms}},
		"over the end of a second":           {[]answer{{805 * ms, 5 * ms}, {1505 * ms, 699 * ms}}, []time.Duration{0, 700 * ms}},
		"before the first answer":            {[]answer{{505 * ms, 505 * ms}}, []time.Duration{500 * ms}},
		"the longest lived of a tick counts": {[]answer{{5 * ms, 5 * ms}, {601 * ms, 3 * ms}, {602 * ms, 597 * ms}}, []time.Duration{600 * ms}},
	} {
		t.Run(name, func(t *testing.T) {
			seconds := make([]ends, len(test.want))
			for _, a := range test.answers {
				seconds[a.at/time.Second].add(a.at, a.lived)
			}
			var p pauses
			for i, want := range test.want {
				var got time.Duration
				if found := p.longest(i, &seconds[i]); found != nil {
					got = time.Duration(found.Ms) * ms
				}
				if got != want {
					t.Errorf("second %d: %v, want %v", i, got, want)
				}
			}
		})
	}
}
