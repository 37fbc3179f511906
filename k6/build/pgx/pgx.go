// Package pgx registers jackc/pgx as the PostgreSQL driver of xk6-sql, under the import path of the
// official driver: `import driver from "k6/x/sql/driver/postgres"`.
package pgx

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"

	xk6sql "github.com/grafana/xk6-sql/sql"
	"github.com/jackc/pgx/v5/stdlib"
)

const name = "postgres"

func init() {
	sql.Register(name, wholeDriver{})
	xk6sql.RegisterModule(name)
}

// wholeDriver is pgx with queries that succeed or fail as a whole. xk6-sql does not look at the error
// that ends a result after its first row, so that a query which the server cancelled half-way
// would pass for one with fewer rows.
type wholeDriver struct{}

var _ driver.DriverContext = wholeDriver{}

// Open connects to a URL or a list of key=value pairs, as libpq takes them.
func (d wholeDriver) Open(dsn string) (driver.Conn, error) {
	connector, err := d.OpenConnector(dsn)
	if err != nil {
		return nil, err
	}
	return connector.Connect(context.Background())
}

// OpenConnector parses a URL or a list of key=value pairs, for all connections; libpq's variables are defaults.
func (d wholeDriver) OpenConnector(dsn string) (driver.Connector, error) {
	if err := honoured(); err != nil {
		return nil, err
	}
	inner, err := stdlib.GetDefaultDriver().(driver.DriverContext).OpenConnector(dsn)
	return connector{inner}, err
}

type connector struct{ driver.Connector }

func (c connector) Driver() driver.Driver { return wholeDriver{} }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{inner.(*stdlib.Conn)}, nil
}

type conn struct{ *stdlib.Conn }

// QueryContext reads the whole result before it returns.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	inner, err := c.Conn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	all := &rows{columns: inner.Columns()}
	for {
		row := make([]driver.Value, len(all.columns))
		if err = inner.Next(row); err != nil {
			break
		}
		for i, value := range row {
			if text, ok := value.([]byte); ok { // borrowed until the next row
				row[i] = bytes.Clone(text)
			}
		}
		all.values = append(all.values, row)
	}
	if closeErr := inner.Close(); errors.Is(err, io.EOF) {
		err = closeErr
	}
	return all, err
}

// rows is a result in memory.
type rows struct {
	columns []string
	values  [][]driver.Value
}

func (r *rows) Columns() []string { return r.columns }

func (r *rows) Close() error { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if len(r.values) == 0 {
		return io.EOF
	}
	copy(dest, r.values[0])
	r.values = r.values[1:]
	return nil
}
