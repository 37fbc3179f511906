package pgx

import (
	"database/sql"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"go.k6.io/k6/ext"
)

// serve answers every query with the same messages, as a PostgreSQL server would, and returns its address.
func serve(t *testing.T, answer ...pgproto3.BackendMessage) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go converse(pgproto3.NewBackend(client, client), answer)
		}
	}()
	return listener.Addr().String()
}

func converse(backend *pgproto3.Backend, answer []pgproto3.BackendMessage) {
	if _, err := backend.ReceiveStartupMessage(); err != nil {
		return
	}
	reply := []pgproto3.BackendMessage{
		&pgproto3.AuthenticationOk{},
		&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"},
		&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"},
	}
	for {
		for _, message := range append(reply, &pgproto3.ReadyForQuery{TxStatus: 'I'}) {
			backend.Send(message)
		}
		if backend.Flush() != nil {
			return
		}
		if _, err := backend.Receive(); err != nil {
			return
		}
		reply = answer
	}
}

func TestQueriesSucceedOrFailAsAWhole(t *testing.T) {
	columns := &pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{
		{Name: []byte("a"), DataTypeOID: 25, DataTypeSize: -1},
		{Name: []byte("b"), DataTypeOID: 17, DataTypeSize: -1},
	}}
	row := func(a, b string) *pgproto3.DataRow {
		return &pgproto3.DataRow{Values: [][]byte{[]byte(a), []byte(b)}}
	}
	done := &pgproto3.CommandComplete{CommandTag: []byte("SELECT 2")}
	cancelled := &pgproto3.ErrorResponse{Severity: "ERROR", Code: "57014", Message: "canceling statement due to statement timeout"}
	for _, test := range []struct {
		name   string
		answer []pgproto3.BackendMessage
		want   string
	}{
		{"two rows", []pgproto3.BackendMessage{columns, row("x", `\x01`), row("y", `\x02`), done}, "[x [1] y [2]]"},
		{"no row", []pgproto3.BackendMessage{columns, done}, "[]"},
		{"an error at once", []pgproto3.BackendMessage{cancelled}, "57014"},
		{"an error after a row", []pgproto3.BackendMessage{columns, row("x", `\x01`), cancelled}, "57014"},
	} {
		t.Run(test.name, func(t *testing.T) {
			db, err := sql.Open(name, "postgres://app@"+serve(t, test.answer...)+"/x?sslmode=disable&default_query_exec_mode=simple_protocol")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			got, err := everything(db)
			if err != nil {
				got = err.Error()
			}
			if (err == nil) != (test.want[0] == '[') || !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// everything queries as xk6-sql does: without a look at the error after the last row.
func everything(db *sql.DB) (string, error) {
	result, err := db.Query("select a, b")
	if err != nil {
		return "", err
	}
	defer func() { _ = result.Close() }()
	got := []any{}
	for result.Next() {
		var a string
		var b []byte
		if err := result.Scan(&a, &b); err != nil {
			return "", err
		}
		got = append(got, a, b)
	}
	return fmt.Sprint(got), nil
}

func TestVariablesThatPgxDoesNotReadAreRefused(t *testing.T) {
	t.Setenv("PGSSLCRL", "revoked.crl")
	_, err := sql.Open(name, "host=127.0.0.1")
	if err == nil || err.Error() != "pgx cannot honour PGSSLCRL=revoked.crl" {
		t.Errorf("got %v", err)
	}
}

func TestDriverIsRegistered(t *testing.T) {
	if ext.Get(ext.JSExtension)["k6/x/sql/driver/postgres"] == nil {
		t.Error("k6/x/sql/driver/postgres is not registered")
	}
}
