-- GET /echo/:value : the cheapest question that a database can be asked, with 1,000 values in turn on each thread.
local workload = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'lib/workload.lua')

local run = os.time()

workload.rotating(1000, function(thread, i)
  return ('/echo/%d-%d-%d'):format(run, thread, i)
end)
