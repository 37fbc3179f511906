package hdr

import (
	"strings"

	"go.k6.io/k6/metrics"
)

// phase tells whether a sample with these tags belongs to the load, not to setup() or teardown().
type phase func(*metrics.TagSet) bool

// phaseFromTags chooses how to tell: only VUs of a scenario carry the tag scenario; without that tag,
// k6 puts setup() and teardown() into groups of those names (and so does a script's own group "setup").
func phaseFromTags(enabled *metrics.SystemTagSet) (phase, error) {
	for _, tag := range []metrics.SystemTag{metrics.TagStatus, metrics.TagExpectedResponse} {
		if !enabled.Has(tag) {
			return nil, invalid("errors cannot be told from successes without the system tag %q: add it to systemTags", tag)
		}
	}
	if !enabled.Has(metrics.TagVU) {
		return nil, invalid("users cannot be told from one another without the system tag %q: add it to systemTags", metrics.TagVU)
	}
	switch {
	case enabled.Has(metrics.TagScenario):
		return hasScenario, nil
	case enabled.Has(metrics.TagGroup):
		return notInSetup, nil
	default:
		return nil, invalid(`setup() cannot be told from the load without the system tag "scenario" or "group": add one to systemTags`)
	}
}

func hasScenario(tags *metrics.TagSet) bool {
	_, ok := tags.Get(metrics.TagScenario.String())
	return ok
}

func notInSetup(tags *metrics.TagSet) bool {
	group, _ := tags.Get(metrics.TagGroup.String())
	for _, name := range []string{"::setup", "::teardown"} {
		if group == name || strings.HasPrefix(group, name+"::") {
			return false
		}
	}
	return true
}

// errorClass is the class of a request's error by its tags, "" for a success. k6 sets expected_response
// by the script's response callback; when the script switched that off, 2xx and 3xx are successes.
func errorClass(tags *metrics.TagSet) string {
	status, _ := tags.Get(metrics.TagStatus.String())
	expected, judged := tags.Get(metrics.TagExpectedResponse.String())
	digit := byte('0')
	if len(status) == 3 {
		digit = status[0]
	}
	switch {
	case expected == "true", !judged && (digit == '2' || digit == '3'):
		return ""
	case status == "0", status == "":
		return transport
	case digit == '4':
		return "status_4xx"
	case digit == '5':
		return "status_5xx"
	default:
		return "status_other"
	}
}
