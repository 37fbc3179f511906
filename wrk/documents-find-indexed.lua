-- GET /collections/indexed/find?age=... : ten of the documents of one age, by the index on it. Each age there is some thousand of
-- among 100,000 down to a handful, in turn.
local workload = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'lib/workload.lua')

local youngest, ages = 38, 50

workload.rotating(ages, function(thread, i)
  return ('/collections/indexed/find?limit=10&age=%d'):format(youngest + (thread + i) % ages)
end)
