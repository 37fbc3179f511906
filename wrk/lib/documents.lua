-- What the workloads of the documents API share: documents to store, and the ids of those that are there.
local documents = {}

local given = { 'Ada', 'Alan', 'Barbara', 'Claude', 'Donald', 'Edsger', 'Frances', 'Grace', 'Hedy', 'John' }
local family = { 'Allen', 'Dijkstra', 'Hamilton', 'Hopper', 'Johnson', 'Knuth', 'Lamarr', 'Liskov', 'Lovelace', 'Turing' }
local cities = { 'Amsterdam', 'Cairo', 'Dakar', 'Hanoi', 'Lima', 'Mumbai', 'Osaka', 'Perth', 'Quito', 'Zürich' }

local function pick(list) return list[math.random(#list)] end

-- A document like those of the dataset (k6/lib/documents.js), as JSON.
function documents.new()
  local first, last = pick(given), pick(family)
  return ('{"name":"%s %s","email":"%s.%s.%d@example.com","age":%d,"city":"%s","status":"active","score":%.2f,'
    .. '"tags":["alpha","beta"],"subscribed":%s,"joined":"%d-%02d-%02d"}'):format(
    first, last, first:lower(), last:lower(), math.random(999999), math.random(18, 97), pick(cities), math.random() * 100,
    math.random(2) == 1 and 'true' or 'false', math.random(2000, 2025), math.random(12), math.random(28))
end

local function fetch(url)
  local pipe = io.popen(("curl -q -fsS --noproxy \"*\" --globoff --max-time 30 '%s'"):format((url:gsub("'", '%%27'))))
  local body = pipe:read('*a')
  pipe:close()
  return body
end

-- The collection that is asked: the URL's path, or collections/test without one.
function documents.collection()
  return wrk.path == '/' and '/collections/test' or wrk.path:gsub('/+$', '')
end

-- The ids of the first documents, at most `most`. Ends wrk when there are none.
function documents.ids(most)
  local ids, after = {}, ''
  local find = ('%s://%s:%s%s/find?limit=%d'):format(wrk.scheme, wrk.host, wrk.port, documents.collection(), math.min(most, 1000))
  repeat
    local body = fetch(find .. after)
    for id in body:gmatch('"_id":%s*"([^"]+)"') do ids[#ids + 1] = id end
    local cursor = body:match('"has_next":%s*true') and body:match('"next_cursor":%s*"([^"]+)"')
    after = '&after=' .. (cursor or '')
  until not cursor or #ids >= most
  if #ids == 0 then
    io.stderr:write(find, ' gives no documents: node scripts/datasets/documents-http.js URL makes them\n')
    os.exit(2)
  end
  return ids
end

return documents
