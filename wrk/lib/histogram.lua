-- wrk's latency statistics as [value in microseconds, count] pairs, ascending, one for each microsecond that holds a value.
local ffi = require('ffi')

-- The head of wrk's `stats` (src/stats.h in 4.1 and 4.2); data holds a count for each microsecond below limit.
local stats_handle = ffi.typeof('struct { uint64_t count, limit, min, max, data[1]; } **')

local histogram = {}

-- Asks for the values one by one. wrk searches from the lowest each time: 70 s of work after a stall of 2 s.
function histogram.ask(latency)
  local counts = {}
  for i = 1, #latency do counts[i] = { latency(i) } end
  return counts
end

-- Reads the values where wrk keeps them: 5 ms of work after the same stall. nil when they are not laid out as expected,
-- which shows in the extremes, known from wrk itself.
function histogram.read(latency)
  local stats = ffi.cast(stats_handle, latency)[0]
  if tonumber(stats.min) ~= latency.min or tonumber(stats.max) ~= latency.max or stats.max >= stats.limit then return nil end
  local counts = {}
  for v = latency.min, latency.max do
    if stats.data[v] > 0 then counts[#counts + 1] = { v, tonumber(stats.data[v]) } end
  end
  return counts
end

-- latency as wrk gives it to done() -> {{value, count}, ...}; empty when nothing was answered.
function histogram.counts(latency)
  if #latency == 0 then return {} end
  return histogram.read(latency) or histogram.ask(latency)
end

return histogram
