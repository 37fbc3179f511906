-- What is written when a run ends: JSON to the file that WRK_OUT names, else a few lines to read.
local here = debug.getinfo(1, 'S').source:match('^@(.*/)')
local histogram = dofile(here .. 'histogram.lua')

local report = {}

local function json_object(t)
  local fields = {}
  for key, value in pairs(t) do fields[#fields + 1] = ('"%s":%s'):format(key, value) end
  table.sort(fields)
  return '{' .. table.concat(fields, ',') .. '}'
end

local function json_counts(counts)
  local pairs_of = {}
  for i, pair in ipairs(counts) do pairs_of[i] = ('[%d,%d]'):format(pair[1], pair[2]) end
  return '[' .. table.concat(pairs_of, ',') .. ']'
end

-- Latencies are wrk's, in microseconds, with the samples that its correction adds. Without an answer there is none, and they are null.
local function latency_fields(latency, counts)
  if #counts == 0 then return 'null' end
  return ('{"min":%d,"max":%d,"mean":%.3f,"stdev":%.3f}'):format(latency.min, latency.max, latency.mean, latency.stdev)
end

local function as_json(summary, latency, statuses, connections, one_request, generator)
  local counts = histogram.counts(latency)
  return json_object {
    version = 2,
    connections = connections or 'null',
    generator = generator,
    duration_us = ('%d'):format(summary.duration),
    requests = ('%d'):format(summary.requests),
    bytes = ('%d'):format(summary.bytes),
    one_request = tostring(one_request),
    errors = json_object(summary.errors),
    statuses = statuses and json_object(statuses) or 'null',
    latency_us = latency_fields(latency, counts),
    counts = json_counts(counts),
  }
end

local function as_text(summary, latency)
  local errors = summary.errors
  local seconds = summary.duration / 1e6
  local lines = {
    ('  successes  %.2f/s: %d of %d answers in %.2fs'):format(
      (summary.requests - errors.status) / seconds, summary.requests - errors.status, summary.requests, seconds),
    ('  errors     status %d, timeout %d, connect %d, read %d, write %d'):format(
      errors.status, errors.timeout, errors.connect, errors.read, errors.write),
  }
  for _, p in ipairs { 50, 90, 95, 99, 99.9 } do
    lines[#lines + 1] = ('  p(%g)=%.2fms'):format(p, latency:percentile(p) / 1000)
  end
  return table.concat(lines, '\n') .. '\n'
end

-- summary and latency as wrk gives them to done(); statuses: {[status] = count} or nil; connections: wrk's -c, nil when the script
-- was not told: without it the correction cannot be undone; one_request: whether all requests were the same; generator: which of several
-- processes this is, nil of one alone.
function report.write(summary, latency, statuses, connections, one_request, generator)
  local path = os.getenv('WRK_OUT')
  if not path then
    io.write(as_text(summary, latency))
    return
  end
  local file, reason = io.open(path, 'w')
  if not file then
    io.stderr:write('WRK_OUT: ', reason, '\n')
    os.exit(2)
  end
  file:write(as_json(summary, latency, statuses, connections, one_request, generator), '\n')
  file:close()
end

return report
