-- GET / : what the target's HTTP server alone costs, without a database.
local workload = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'lib/workload.lua')

workload.constant('/')
