// Command k6 is Grafana k6 with a PostgreSQL driver (k6/x/sql/driver/postgres, on pgx) and
// the output "hdr" (per-second histograms as NDJSON).
package main

import (
	"os"
	"runtime/debug"

	_ "github.com/grafana/xk6-sql"
	"go.k6.io/k6/cmd"
	_ "pglab/k6/hdr"
	_ "pglab/k6/pgx"
)

func main() {
	// The generator shares the processors with what it measures. Collecting garbage less often than Go's default of 100
	// saves it a fifth of its processor time, for memory: 110 instead of 70 MB at 10 VUs, 300 instead of 150 MB at 200.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	cmd.Execute()
}
