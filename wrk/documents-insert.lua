-- POST /collections/test : stores a document, one of 1,000 different ones on each thread.
local here = debug.getinfo(1, 'S').source:match('^@(.*/)') or './'
local workload = dofile(here .. 'lib/workload.lua')
local documents = dofile(here .. 'lib/documents.lua')

workload.rotating(1000, function(thread, i)
  if i == 1 then math.randomseed(thread) end
  return '/collections/test', 'POST', documents.new()
end)
