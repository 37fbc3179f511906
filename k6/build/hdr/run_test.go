package hdr

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.k6.io/k6/cmd"
)

// TestMain lets the test binary be k6 itself, so that the tests below run k6 for real.
func TestMain(m *testing.M) {
	if os.Getenv("HDR_TEST_AS_K6") != "" {
		cmd.Execute()
		return
	}
	os.Exit(m.Run())
}

const script = `
import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Trend } from 'k6/metrics';
const query = new Trend('query', true);
export const options = { systemTags: (__ENV.TAGS || 'status,expected_response,group,scenario,vu').split(',') };
export function setup() { group('fill', () => http.get(__ENV.BASE_URL + '/setup')); http.get(__ENV.BASE_URL + '/setup'); }
export function teardown() { http.get(__ENV.BASE_URL + '/setup'); sleep(1); }
export default function () {
  const response = http.get(__ENV.BASE_URL + __ENV.ROUTE);
  query.add(1.5);
  check(response, { hello: (r) => r.body === 'hello' });
  sleep(0.1);
}
`

// k6 runs the script for real, interrupts it some time after the load reached the server if at all, and returns its exit code, its messages and the file it wrote.
func k6(t *testing.T, route string, interrupt time.Duration, args ...string) (int, string, []byte) {
	t.Helper()
	arrived := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/500":
			w.WriteHeader(http.StatusInternalServerError)
		case "/hang":
			select {
			case arrived <- struct{}{}:
			default:
			}
			<-r.Context().Done()
		case "/reset":
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write([]byte("hello"))
	}))
	t.Cleanup(server.Close)

	dir := t.TempDir()
	scriptFile, file := filepath.Join(dir, "script.js"), filepath.Join(dir, "out.ndjson")
	check(t, os.WriteFile(scriptFile, []byte(script), 0o600))
	self, err := os.Executable()
	check(t, err)
	args = append([]string{
		"run", "--quiet", "--no-usage-report", "--summary-mode=disabled", "--no-thresholds",
		"--address=", "-e", "ROUTE=" + route, "-e", "BASE_URL=" + server.URL, "--out", "hdr=" + file,
	}, append(args, scriptFile)...)
	command := exec.Command(self, args...)
	command.Env = append(os.Environ(), "HDR_TEST_AS_K6=1")
	var messages strings.Builder
	command.Stderr = &messages
	check(t, command.Start())
	if interrupt > 0 {
		select {
		case <-arrived:
		case <-time.After(time.Minute):
			t.Fatal("the load never reached the server: " + messages.String())
		}
		time.Sleep(interrupt)
		check(t, command.Process.Signal(syscall.SIGINT))
	}
	code := 0
	var failed *exec.ExitError
	if err := command.Wait(); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else {
		check(t, err)
	}
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return code, messages.String(), text
}

// TestRun: two VUs for two seconds. setup() and teardown() are left out, whichever tag tells.
func TestRun(t *testing.T) {
	for _, tags := range []string{"scenario", "group"} {
		t.Run("by "+tags, func(t *testing.T) {
			t.Parallel()
			code, messages, text := k6(t, "/", 0, "--vus=2", "--duration=2s", "-e", "TAGS=status,expected_response,vu,"+tags)
			equal(t, "exit code", code, 0)
			equal(t, "messages", messages, "")
			got := parse(t, text)
			sum := got.total
			if sum.Requests == 0 || sum.Seconds < 2 || len(sum.Errors) != 0 {
				t.Errorf("totals: %+v", sum)
			}
			equal(t, "latencies", got.all.Latency.Count, sum.Requests)
			equal(t, "trends", got.all.Trends["query"].Count, sum.Requests)
			near(t, "checked", got.all.Checked, float64(sum.Requests))
			equal(t, "users", sum.Users, 2)
			equal(t, "users that had an answer", sum.UsersAnswered, 2)
			equal(t, "connections", sum.Connections, 2)
			near(t, "requests", got.all.Requests, float64(sum.Requests))
			for second := range 2 {
				within(t, "in-flight", got.seconds[second].InFlight, 2, 0.1)
			}
			equal(t, "interrupted iterations", sum.InterruptedIterations, 0)
		})
	}
}

// TestRunOfUsersWhoThink: with -e think= what is in flight are requests, which the pauses of an iteration are no part of.
func TestRunOfUsersWhoThink(t *testing.T) {
	t.Parallel()
	_, _, text := k6(t, "/", 0, "--vus=2", "--duration=2s", "-e", "think=100ms")
	got := parse(t, text)
	if got.total.Requests < 10 {
		t.Errorf("totals: %+v", got.total)
	}
	for second := range 2 {
		if inFlight := got.seconds[second].InFlight; inFlight <= 0 || inFlight > 0.5 {
			t.Errorf("in flight: %v", inFlight)
		}
	}
}

func TestRunWithErrors(t *testing.T) {
	for route, class := range map[string]string{"/500": "status_5xx", "/reset": "transport"} {
		t.Run(class, func(t *testing.T) {
			t.Parallel()
			code, _, text := k6(t, route, 0, "--vus=1", "--iterations=5")
			sum := parse(t, text).total
			equal(t, "exit code", code, 0)
			equal(t, "requests", sum.Requests, 5)
			equal(t, "errors", sum.Errors[class], 5)
		})
	}
}

// TestRunThatHangs: the load never ends an iteration; the file still shows what was asked and the time that passed.
func TestRunThatHangs(t *testing.T) {
	t.Parallel()
	code, messages, text := k6(t, "/hang", 2500*time.Millisecond, "--vus=3", "--duration=1m")
	got := parse(t, text)
	equal(t, "exit code", code, 105)
	equal(t, "requests", got.total.Requests, 3)
	equal(t, "errors", fmt.Sprint(got.total.Errors), "map[unanswered:3]")
	equal(t, "interrupted iterations", got.total.InterruptedIterations, 3)
	equal(t, "users that had an answer", got.total.UsersAnswered, 0)
	if got.total.Seconds < 2 || !strings.Contains(got.total.Interrupted, "interrupt") {
		t.Errorf("totals: %+v, messages: %s", got.total, messages)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, test := range []struct {
		name, out, tags, want string
		code                  int
	}{
		{"no file", "hdr", "", "name the file to write: --out hdr=FILE", 104},
		{"tags trimmed", "hdr=x", "status,expected_response,vu", `setup() cannot be told`, 104},
		{"folder missing", "hdr=/nowhere/x", "", "no such file or directory", 111},
		{"disk full", "hdr=/dev/full", "", "no space left on device", 111},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat("/dev/full"); test.out == "hdr=/dev/full" && err != nil {
				t.Skip("this system has no /dev/full")
			}
			code, messages, _ := k6(t, "/", 0, "--out", test.out, "-e", "TAGS="+test.tags)
			equal(t, "exit code", code, test.code)
			if !strings.Contains(messages, test.want) {
				t.Errorf("got %q, want %q", messages, test.want)
			}
		})
	}
}
