-- GET /analytics : orders by status and year, the aggregate behind a dashboard. wrk does not look at the answers.
local workload = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'lib/workload.lua')

workload.constant('/analytics')
