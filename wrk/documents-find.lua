-- GET /collections/test/find : a page of 50 documents, the first one.
local workload = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'lib/workload.lua')

workload.constant('/collections/test/find')
