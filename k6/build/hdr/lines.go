package hdr

import (
	"math"
	"strconv"
	"time"

	"go.k6.io/k6/metrics"
)

// meta is the first line of the file.
type meta struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Model   string `json:"model"`
	Unit    string `json:"unit"`
	Digits  int    `json:"digits"`
	K6      string `json:"k6"`
}

// amount is a sum of shares, written to six decimals.
type amount float64

func (a amount) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, math.Round(float64(a)*1e6)/1e6, 'f', -1, 64), nil
}

// second is a line of what belongs to [T, T+1) seconds after the anchor; README.md says which second that is.
// What becomes known late is written in another line for the same T.
type second struct {
	Type        string                `json:"type"`
	T           int                   `json:"t"`
	Due         *int64                `json:"due,omitempty"`
	Arrivals    int64                 `json:"arrivals,omitempty"`
	Requests    amount                `json:"requests"`
	Errors      map[string]amount     `json:"errors"`
	Answers     int64                 `json:"answers"`
	Pause       *pause                `json:"pause,omitempty"`
	Checked     amount                `json:"checked"`
	InFlight    amount                `json:"in_flight"`
	Unanswered  *unanswered           `json:"unanswered,omitempty"`
	Latency     *histogram            `json:"latency,omitempty"`
	FromSend    *histogram            `json:"latency_from_send,omitempty"`
	DispatchLag *histogram            `json:"dispatch_lag,omitempty"`
	Connect     *histogram            `json:"connect,omitempty"`
	Trends      map[string]*histogram `json:"trends,omitempty"`

	ends ends
}

func newSecond(t int) *second {
	return &second{Type: "second", T: t, Errors: map[string]amount{}}
}

// recordTime records in one of the second's histograms, which is made when it is first needed.
func recordTime(h **histogram, d time.Duration) {
	if *h == nil {
		*h = newHistogram(metrics.Time)
	}
	(*h).record(metrics.D(d))
}

// unanswered counts requests without an answer; LeastUs and MostUs are the shortest and the longest time that one of them was waited for.
type unanswered struct {
	Count   int64 `json:"count"`
	LeastUs int64 `json:"least_us"`
	MostUs  int64 `json:"most_us"`
}

func (s *second) addUnanswered(d time.Duration) {
	waited := max(d, 0).Microseconds()
	if s.Unanswered == nil {
		s.Unanswered = &unanswered{LeastUs: waited}
	}
	s.Unanswered.Count++
	s.Unanswered.LeastUs = min(s.Unanswered.LeastUs, waited)
	s.Unanswered.MostUs = max(s.Unanswered.MostUs, waited)
}

// total is the last line of the file, about the whole load; a run that was killed has none.
type total struct {
	Type                  string           `json:"type"`
	Anchor                string           `json:"anchor,omitempty"` // RFC 3339 with nanoseconds; none when no load was seen
	Ended                 string           `json:"ended,omitempty"`
	BeganAfter            *float64         `json:"began_after_ms,omitempty"` // the agreed beginning; none where none was agreed, or no load was seen
	Seconds               int              `json:"seconds"`
	Lines                 int              `json:"lines"`
	Requests              int64            `json:"requests"`
	Errors                map[string]int64 `json:"errors"`
	Users                 int              `json:"users"`
	UsersAnswered         int              `json:"users_answered"`
	AnsweredBy            amount           `json:"answered_by_s"`
	KeepAlive             bool             `json:"keep_alive"`
	Connections           int64            `json:"connections"`
	Repeated              int64            `json:"repeated"`
	InterruptedIterations int64            `json:"interrupted_iterations"`
	Interrupted           string           `json:"interrupted,omitempty"`
}
