package hdr

// meta is the first line of the file.
type meta struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Unit    string `json:"unit"`
	Digits  int    `json:"digits"`
	K6      string `json:"k6"`
}

// tally holds what is counted, in a second and in total.
type tally struct {
	Requests          int64            `json:"requests"`
	Errors            map[string]int64 `json:"errors"`
	Iterations        int64            `json:"iterations"`
	DroppedIterations int64            `json:"dropped_iterations"`
}

func newTally() tally { return tally{Errors: map[string]int64{}} }

func (t *tally) add(other tally) {
	t.Requests += other.Requests
	t.Iterations += other.Iterations
	t.DroppedIterations += other.DroppedIterations
	for class, n := range other.Errors {
		t.Errors[class] += n
	}
}

// second is the line of what ended in [T, T+1) seconds after the anchor.
type second struct {
	Type string `json:"type"`
	T    int    `json:"t"`
	tally
	VUs     *int64                `json:"vus,omitempty"`
	Metrics map[string]*histogram `json:"metrics"`
}

func newSecond(t int) *second {
	return &second{Type: "second", T: t, tally: newTally(), Metrics: map[string]*histogram{}}
}

// total is the last line of the file; a run that was killed has none.
type total struct {
	Type     string    `json:"type"`
	Anchor   string    `json:"anchor,omitempty"` // RFC 3339 with nanoseconds; none when no load was seen
	Ended    string    `json:"ended,omitempty"`
	Seconds  int       `json:"seconds"`
	InFlight []float64 `json:"in_flight"`
	tally
	InterruptedIterations int64  `json:"interrupted_iterations"`
	Interrupted           string `json:"interrupted,omitempty"`
}
