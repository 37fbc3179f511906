/**
 * What tells the load tools apart, beside how each is called (scripts/jq/argv.jq) and read (scripts/jq/summary-TOOL.jq): who makes its load, what
 * its figures count, whether it asks over HTTP and tells totals alone, nothing of single requests, and what set-up brings for it.
 */
export const TOOLS = {
  k6: { user: 'user', unit: 'request', overHttp: true, totalsAlone: false, needs: 'bin/k6' },
  wrk: { user: 'HTTP connection', unit: 'request', overHttp: true, totalsAlone: true, needs: 'wrk' },
  ab: { user: 'HTTP connection', unit: 'request', overHttp: true, totalsAlone: true, needs: 'ab' },
  pgbench: { user: 'client', unit: 'transaction', overHttp: false, totalsAlone: false, needs: 'postgresql' },
};
