package hdr

import (
	"errors"
	"flag"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/errext"
	"go.k6.io/k6/errext/exitcodes"
	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/fsext"
	"go.k6.io/k6/lib/netext/httpext"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"
)

var update = flag.Bool("update", false, "write testdata/golden.ndjson anew")

// TestGoldenFile writes a small load through the whole output.
func TestGoldenFile(t *testing.T) {
	l := newLoad()
	fs := fsext.NewMemMapFs()
	o := started(t, l, fs)
	second := l.user(2)
	o.AddMetricSamples(slices.Concat(
		[]metrics.SampleContainer{l.request(l.root.With("group", "::setup").With("status", "500"), -0.5, 0.25)},
		l.asks(l.ok, 0, 0.3),
		[]metrics.SampleContainer{l.sample(l.builtin.Checks, l.vu, 0.3, 1)},
		second.asks(l.vu.With("status", "503").With("expected_response", "false"), 0.25, 1.5),
		l.asks(l.vu.With("status", "0").With("expected_response", "false"), 0.3, 1.75),
		[]metrics.SampleContainer{
			l.sample(l.trend, l.vu, 1.75, 0.5),
			l.sample(l.plain, l.vu, 1.75, 12.5),
			second.trail(l.ok, 3.25, httpext.Trail{
				Blocked: 100 * time.Millisecond, Connecting: 90 * time.Millisecond, Duration: 150 * time.Millisecond,
				ConnRemoteAddr: &net.TCPAddr{},
			}),
			second.sample(l.builtin.Checks, l.vu, 3.25, 0),
			second.cut(4.5),
			l.vus(4.5, 0),
		},
	))
	check(t, o.StopWithTestError(errors.New("stopped by a test")))

	got, err := fsext.ReadFile(fs, "out.ndjson")
	check(t, err)
	if *update {
		check(t, os.WriteFile("testdata/golden.ndjson", got, 0o644))
	}
	want, err := os.ReadFile("testdata/golden.ndjson")
	check(t, err)
	equal(t, "file", string(got), string(want))
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name, file string
		tags       *metrics.SystemTagSet
		want       string
	}{
		{"no file", "", &metrics.DefaultSystemTagSet, "--out hdr=FILE"},
		{"no status", "x", metrics.NewSystemTagSet(metrics.TagScenario, metrics.TagExpectedResponse), `"status"`},
		{"no vu", "x", metrics.NewSystemTagSet(metrics.TagScenario, metrics.TagStatus, metrics.TagExpectedResponse), `"vu"`},
		{"no expected_response", "x", metrics.NewSystemTagSet(metrics.TagScenario, metrics.TagStatus), `"expected_response"`},
		{"no scenario, no group", "x", tagSet(metrics.TagURL), `"scenario" or "group"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := New(params(fsext.NewMemMapFs(), test.file, test.tags))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want an error that says %s", err, test.want)
			}
			equal(t, "exit code", exitCode(err), exitcodes.InvalidConfig)
		})
	}
}

func TestStartRefuses(t *testing.T) {
	o := newOutput(t, newLoad(), fsext.NewReadOnlyFs(fsext.NewMemMapFs()))
	equal(t, "exit code", exitCode(o.Start()), exitNotWritten)
}

// TestWriteFailure fills the disk after some lines: the run is aborted, and never ends as a success.
func TestWriteFailure(t *testing.T) {
	l := newLoad()
	for _, test := range []struct {
		name    string
		room    int   // for lines after the first
		testErr error // how the run ends
		aborted bool
		exit    int // by the output itself
	}{
		{"in the run", 2, errors.New("aborted by the output"), true, 0},
		{"in the run, noticed after the load", 2, nil, true, int(exitNotWritten)},
		{"at the end", 4, nil, false, int(exitNotWritten)},
		{"at the end of a run that failed", 4, errors.New("thresholds"), false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var aborted error
			exit := 0
			o := newOutput(t, l, fsext.NewMemMapFs())
			o.SetTestRunStopCallback(func(err error) { aborted = err })
			o.exit = func(code int) { exit = code }
			check(t, o.Start())
			o.flusher.Stop() // here the test flushes
			o.file = &fullDisk{o.file, test.room}

			for i := range 4 {
				o.AddMetricSamples(l.iteration(float64(i), float64(i)+0.5))
			}
			o.flush(l.at(5.5))
			equal(t, "aborted", aborted != nil, test.aborted)
			if aborted != nil {
				equal(t, "exit code of abort", exitCode(aborted), exitNotWritten)
			}
			equal(t, "error of stop", exitCode(o.StopWithTestError(test.testErr)), exitNotWritten)
			equal(t, "exit", exit, test.exit)
		})
	}
}

func TestInterruption(t *testing.T) {
	verdict := errext.WithAbortReasonIfNone(errors.New("thresholds crossed"), errext.AbortedByThresholdsAfterTestEnd)
	equal(t, "no error", interruption(nil), "")
	equal(t, "a verdict", interruption(verdict), "")
	equal(t, "marked as failed", interruption(errext.WithExitCodeIfNone(errors.New("x"), exitcodes.MarkedAsFailed)), "")
	equal(t, "a signal", interruption(errors.New("SIGINT")), "SIGINT")
}

func params(fs fsext.Fs, file string, tags *metrics.SystemTagSet) output.Params {
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	return output.Params{FS: fs, ConfigArgument: file, Logger: logger, ScriptOptions: lib.Options{SystemTags: tags}}
}

func newOutput(t *testing.T, l *load, fs fsext.Fs) *Output {
	t.Helper()
	o, err := New(params(fs, "out.ndjson", tagSet(metrics.TagScenario)))
	check(t, err)
	o.(*Output).SetBuiltinMetrics(l.builtin)
	o.(*Output).version = "v1.8.1" // a test binary does not know
	return o.(*Output)
}

func started(t *testing.T, l *load, fs fsext.Fs) *Output {
	t.Helper()
	o := newOutput(t, l, fs)
	check(t, o.Start())
	return o
}

func exitCode(err error) exitcodes.ExitCode {
	var code errext.HasExitCode
	if errors.As(err, &code) {
		return code.ExitCode()
	}
	return 0
}

// fullDisk is a file that has room for a number of writes.
type fullDisk struct {
	io.WriteCloser
	room int
}

func (d *fullDisk) Write(text []byte) (int, error) {
	if d.room--; d.room < 0 {
		return 0, syscall.ENOSPC
	}
	return d.WriteCloser.Write(text)
}
