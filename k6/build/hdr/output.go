// Package hdr is the k6 output "hdr": per-second HdrHistograms, errors by class and mean
// concurrency as NDJSON, in memory that does not grow with the number of requests.
// README.md describes the file.
package hdr

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/errext"
	"go.k6.io/k6/errext/exitcodes"
	"go.k6.io/k6/lib/fsext"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"
)

const (
	// formatVersion is raised when a reader of the file must change.
	formatVersion = 2

	// flushPeriod bounds the samples that wait in memory.
	flushPeriod = 200 * time.Millisecond

	// openMemory is enough for 18 s of 5,000 requests a second, 25 KB of garbage each, without a collection.
	openMemory = 5 << 29

	// exitNotWritten is k6's exit code when the results could not be written; k6 itself uses 97 to 110.
	exitNotWritten exitcodes.ExitCode = 111
)

var errEarly = invalid("the load began before the agreed instant: wrap the script's setup() in prepared() of k6/lib/schedule.js, and give it -e begin=")

var errStray = invalid("an iteration does not say which arrival it serves: wrap the script's function in scheduled() of k6/lib/schedule.js")

func init() {
	output.RegisterExtension("hdr", New)
}

// Output writes the samples of one test run to one file.
type Output struct {
	output.SampleBuffer

	path      string
	begin     time.Time // the agreed beginning of a load that several generators share; zero without
	version   string
	fs        fsext.Fs
	logger    logrus.FieldLogger
	phase     phase
	schedule  *schedule
	keepAlive bool
	thinks    bool // users pause between iterations
	collector *collector
	file      io.WriteCloser
	flusher   *output.PeriodicFlusher
	abort     func(error)
	exit      func(int)
	failure   error // the first failed write; nothing is written after it
}

var _ interface {
	output.WithBuiltinMetrics
	output.WithTestRunStop
	output.WithStopWithTestError
} = &Output{}

// New makes the output for `--out hdr=FILE` or `--out hdr=FILE,begin=MS`. It fails when no file is named, or when the script
// switched off a system tag without which requests cannot be classified.
func New(params output.Params) (output.Output, error) {
	path, begin, err := argument(params.ConfigArgument)
	if err != nil {
		return nil, err
	}
	phase, err := phaseFromTags(params.ScriptOptions.SystemTags)
	if err != nil {
		return nil, err
	}
	schedule, err := scheduleOf(params.ScriptOptions)
	if err != nil {
		return nil, invalid("%w", err)
	}
	return &Output{
		path:    path,
		begin:   begin,
		version: k6Version(),
		fs:      params.FS,
		logger:  params.Logger.WithField("output", "hdr"),
		phase:   phase,
		exit:    os.Exit,

		schedule:  schedule,
		thinks:    params.RuntimeOptions.Env["think"] != "",
		keepAlive: !params.ScriptOptions.NoConnectionReuse.Bool && !params.ScriptOptions.NoVUConnectionReuse.Bool,
	}, nil
}

// argument splits FILE,begin=MS: the file, and the agreed beginning in milliseconds since the epoch, zero where none is given.
func argument(text string) (string, time.Time, error) {
	path, at, found := strings.Cut(text, ",begin=")
	if path == "" {
		return "", time.Time{}, invalid("name the file to write: --out hdr=FILE")
	}
	if !found {
		return path, time.Time{}, nil
	}
	ms, err := strconv.ParseInt(at, 10, 64)
	if err != nil || ms <= 0 {
		return "", time.Time{}, invalid("begin=%s: must be milliseconds since 1970", at)
	}
	return path, time.UnixMilli(ms), nil
}

func invalid(format string, args ...any) error {
	return errext.WithExitCodeIfNone(fmt.Errorf(format, args...), exitcodes.InvalidConfig)
}

// Description is shown by `k6 run`.
func (o *Output) Description() string { return fmt.Sprintf("hdr (%s)", o.path) }

// SetBuiltinMetrics receives k6's own metrics before Start.
func (o *Output) SetBuiltinMetrics(builtin *metrics.BuiltinMetrics) {
	o.collector = newCollector(builtin, o.phase, o.schedule)
	o.collector.begin, o.collector.thinks = o.begin, o.thinks
	o.collector.total.KeepAlive = o.keepAlive
}

// SetTestRunStopCallback receives the function that aborts the run, used when a write fails.
func (o *Output) SetTestRunStopCallback(abort func(error)) { o.abort = abort }

// Start creates the file and writes its first line, so that a file which cannot be written is
// found before the load starts.
func (o *Output) Start() error {
	file, err := o.fs.Create(o.path)
	if err != nil {
		return o.notWritten(err)
	}
	o.file = file
	first := meta{Type: "meta", Version: formatVersion, Model: "closed", Unit: "us", Digits: digits, K6: o.version}
	if o.schedule != nil {
		first.Model = "open"
		collectRarely()
	}
	if o.write(first); o.failure != nil {
		return o.failure
	}
	o.flusher, err = output.NewPeriodicFlusher(flushPeriod, func() { o.flush(time.Now()) })
	return err
}

// collectRarely puts off garbage collection until the process has openMemory, unless the environment says otherwise. An arrival rate
// allocates up to 1,000 VUs beforehand, some 280 MB that each collection marks: half a second in which, on two shared cores, requests were sent
// up to 80 ms late and the target answered as much later, which would pass for its own latency.
func collectRarely() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(openMemory)
	}
}

// flush collects the buffered samples and writes the seconds that have become final.
func (o *Output) flush(now time.Time) {
	o.collector.add(o.GetBufferedSamples())
	o.writeSeconds(o.collector.final(now))
	for _, fault := range []struct {
		is  bool
		err error
	}{{o.collector.stray, errStray}, {o.collector.early, errEarly}} {
		if fault.is && o.failure == nil {
			o.failure = errext.WithAbortReasonIfNone(fault.err, errext.AbortedByOutput)
		}
	}
	if o.failure != nil && o.abort != nil {
		o.abort(o.failure)
		o.abort = nil
	}
}

// Stop ends a run that had no error.
func (o *Output) Stop() error { return o.StopWithTestError(nil) }

// StopWithTestError writes what is left and the line of totals. k6 only logs the error of an output's
// stop and exits 0; results that were lost must not look like success, so then it exits here.
func (o *Output) StopWithTestError(testErr error) error {
	o.flusher.Stop()
	rest, sum := o.collector.finish(testErr == nil)
	o.writeSeconds(rest)
	sum.Interrupted = interruption(testErr)
	o.write(sum)
	if err := o.file.Close(); err != nil && o.failure == nil {
		o.failure = o.notWritten(err)
	}
	if o.failure != nil && testErr == nil {
		o.logger.Error(o.failure)
		o.exit(int(exitNotWritten))
	}
	return o.failure
}

func (o *Output) writeSeconds(seconds []*second) {
	for _, s := range seconds {
		o.write(s)
	}
}

// write appends one line. After the first failure it does nothing.
func (o *Output) write(line any) {
	if o.failure != nil {
		return
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = o.file.Write(append(text, '\n'))
	}
	if err != nil {
		o.failure = o.notWritten(err)
	}
}

func (o *Output) notWritten(err error) error {
	err = fmt.Errorf("the results cannot be written, free some space or name another file in --out hdr=FILE: %w", err)
	return errext.WithExitCodeIfNone(errext.WithAbortReasonIfNone(err, errext.AbortedByOutput), exitNotWritten)
}

// interruption says why a run ended early; "" when it ran to its end, whatever its verdict.
func interruption(testErr error) string {
	var reason errext.HasAbortReason
	if errors.As(testErr, &reason) && reason.AbortReason() == errext.AbortedByThresholdsAfterTestEnd {
		return ""
	}
	var code errext.HasExitCode
	if testErr == nil || errors.As(testErr, &code) && code.ExitCode() == exitcodes.MarkedAsFailed {
		return ""
	}
	return testErr.Error()
}

// k6Version is the version of the k6 module that this program was built with.
func k6Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "go.k6.io/k6" {
				return dep.Version
			}
		}
	}
	return "unknown"
}
