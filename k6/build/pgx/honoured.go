package pgx

import (
	"fmt"
	"os"
)

// libpq's variables that make a connection safer, or go elsewhere, and that pgx does not read: apps/lib/drivers.json says so to the rest.
var unread = []string{
	"PGHOSTADDR", "PGREQUIREPEER", "PGSSLCRL", "PGSSLCRLDIR", "PGSSLMINPROTOCOLVERSION", "PGSSLMAXPROTOCOLVERSION",
}

// honoured is an error when one of them is set, so that no connection is weaker than was asked for.
func honoured() error {
	for _, variable := range unread {
		if value := os.Getenv(variable); value != "" {
			return fmt.Errorf("pgx cannot honour %s=%s", variable, value)
		}
	}
	return nil
}
