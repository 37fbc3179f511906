-- PATCH of documents that are there, in random order: one field is set. workload.lua's wiring, and the ids to all threads.
local here = debug.getinfo(1, 'S').source:match('^@(.*/)')
local workload = dofile(here .. 'workload.lua')
local documents = dofile(here .. 'documents.lua')

local updates = {}

-- Updates the first `most` documents of the collection.
function updates.of(most)
  workload.rotating(10000, function(thread, i)
    if i == 1 then math.randomseed(thread) end
    return documents.collection() .. '/documents/' .. ids[math.random(#ids)], 'PATCH', ('{"score":%d}'):format(math.random(100))
  end, true)
  local number_thread, loaded = setup, nil
  function setup(thread)
    loaded = loaded or documents.ids(most)
    number_thread(thread)
    thread:set('ids', loaded)
  end
end

return updates
