-- What every workload shares: the request, built once, and the wiring of wrk's hooks. wrk runs a script in a Lua state of its
-- own for each thread, and once more for setup() and done(); the hooks are the only globals.
local here = debug.getinfo(1, 'S').source:match('^@(.*/)')
local report = dofile(here .. 'report.lua')

local workload = {}
local threads = {}

-- Counts threads, so that each can send values of its own.
local function number_threads(thread)
  threads[#threads + 1] = thread
  thread:set('thread_number', #threads)
end

-- A path in the URL is sent as it is; without one the workload's own route is asked for.
local function own_route()
  return wrk.path == '/'
end

local function prepare_headers()
  if os.getenv('WRK_CLOSE') == '1' then wrk.headers['Connection'] = 'close' end
end

-- Counting each status needs a response hook, for which wrk copies every header and body into Lua: see WRK_STATUSES.
local function count_statuses()
  statuses = {}
  function response(status)
    statuses[status] = (statuses[status] or 0) + 1
  end
end

local function statuses_of_all_threads()
  if not statuses then return nil end
  local sum = {}
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get('statuses')) do sum[status] = (sum[status] or 0) + count end
  end
  return sum
end

local prefix = ''

-- args: what stands after the URL on wrk's command line. connections=16 tells the script what -c is, which wrk does not; prefix=/api goes before
-- each path; generator=2 says which of several processes this is that share a load.
local function read_arguments(args)
  for _, argument in ipairs(args) do
    connections = argument:match('^connections=(%d+)$') or connections
    prefix = argument:match('^prefix=(.*)$') or prefix
    generator = argument:match('^generator=(%d+)$') or generator
  end
end

-- The number of this thread among those of all generators, of which none has a thousand.
local function number_of_all() return ((generator or 1) - 1) * 1000 + thread_number end

local function wire(one_request)
  setup = number_threads
  if os.getenv('WRK_STATUSES') == '1' then count_statuses() end
  function done(summary, latency)
    report.write(summary, latency, statuses_of_all_threads(), threads[1]:get('connections'), one_request, threads[1]:get('generator'))
  end
end

-- One request, always the same: GET `path`.
function workload.constant(path)
  wire(true)
  function init(args)
    read_arguments(args)
    prepare_headers()
    if own_route() then wrk.path = prefix .. path end
  end
end

-- `count` requests in turn, for i from 1: path_of(number of the thread, i) gives the path and, for other requests than GET, the
-- method and a body of JSON. A path in the URL goes before that path, unless path_of itself `makes_use` of it. Each is
-- formatted when its turn first comes: wrk starts thread by thread, each after its init(), and its clock with the last, but
-- counts what the others did until then.
function workload.rotating(count, path_of, makes_use)
  wire(false)
  local requests, next_one = {}, 0
  function init(args)
    read_arguments(args)
    prepare_headers()
  end
  local function formatted(i)
    local path, method, body = path_of(number_of_all(), i)
    if body then wrk.headers['Content-Type'] = 'application/json' end
    return wrk.format(method or 'GET', (makes_use or own_route()) and prefix .. path or wrk.path, nil, body)
  end
  function request()
    next_one = next_one % count + 1
    requests[next_one] = requests[next_one] or formatted(next_one)
    return requests[next_one]
  end
end

return workload
