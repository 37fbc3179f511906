package hdr

import (
	"time"

	"go.k6.io/k6/lib/netext/httpext"
)

func opened(trail *httpext.Trail) bool { return trail.ConnRemoteAddr != nil && !trail.ConnReused }

// repeated tells whether a request was sent twice. When a kept-alive connection is closed instead of an answer, Go's HTTP
// client sends the request once more, over another connection, and k6 says nothing of it; but its tracer has noted the first
// connection, and connecting the second seems to have taken no time.
func repeated(trail *httpext.Trail) bool { return opened(trail) && trail.Connecting == 0 }

// life is how long a request took, from when k6 asked for a connection.
func life(trail *httpext.Trail) time.Duration {
	if repeated(trail) {
		return trail.Duration // from the first connection on
	}
	return trail.Blocked + trail.Duration
}
