// Straight to PostgreSQL, without a target in between: one connection per VU, from libpq's PG* variables.
// This needs bin/k6, which has xk6-sql and a driver built in.
import { check } from 'k6';
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import sql from 'k6/x/sql';
import driver from 'k6/x/sql/driver/postgres';
import { sampler } from './sample.js';
import { settings } from './settings.js';

const PROTOCOL = { on: 'cache_statement', off: 'simple_protocol' };

/**
 * One statement, named `name` in checks. Each VU opens its connection with the first question and keeps it; statements are
 * prepared once, unless `-e prepared=off` says otherwise. Answered or not, the time of each question goes to the Trend
 * `pglab_sql_duration`, which the output `hdr` takes for that of a request; a failure is a failed check. `sample` is as for HTTP.
 *
 * -> (expected, ...values) => undefined; `expected` is a function of the rows that says whether they are right.
 */
export function statement(name, text, { sample = 0.1 } = {}) {
  const db = connect();
  const duration = new Trend('pglab_sql_duration', true);
  const isChecked = sampler(sample);
  const label = `${name}: rows`;
  let told = false;

  return (expected, ...values) => {
    const began = exec.instance.currentTestRunDuration;
    let rows;
    try {
      rows = db.query(text, ...values);
    } catch (error) {
      if (!told) console.error(`${name}: ${oneLine(error)}`);
      told = true;
    }
    duration.add(exec.instance.currentTestRunDuration - began);
    if (isChecked() || rows === undefined) check(rows, { [label]: (got) => got !== undefined && expected(got) });
  };
}

/** For setup(): asks once -> rows. Ends the run with one line when the database cannot be asked. */
export function askOnce(text, ...values) {
  const db = connect();
  try {
    return db.query(text, ...values);
  } catch (error) {
    return exec.test.abort(
      `no answer from the database: ${oneLine(error)}. Set PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE.`,
    );
  } finally {
    db.close();
  }
}

function oneLine(error) {
  return String(error.value ?? error).replace(/\s*\n\s*/g, ' ');
}

function connect() {
  return sql.open(driver, `default_query_exec_mode=${PROTOCOL[settings.prepared]}`, {
    maxOpenConns: 1,
    maxIdleConns: 1,
  });
}
