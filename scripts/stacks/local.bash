# shellcheck shell=bash
# Summary: processes of this user, with a private cluster of PostgreSQL
# The local stack: targets are processes of this user, PostgreSQL is the project's private cluster.
# $STACK_STATE holds, for each role that runs, <role>.pid (pid and start time), <role>.port and <role>.log, and in `order` the roles as started.

# shellcheck source=scripts/lib/process.bash
source "$REPO_ROOT/scripts/lib/process.bash"

stack_prepare() {
  [[ $1 == none ]] || "$REPO_ROOT/scripts/database.sh" up "$1" --scale "$SCALE"
}

stack_up() {
  local database=$1 target=$2 variant=$3 file processes process
  file=$(target_file "$target")
  _require_needs "$file"
  stack_down
  mkdir -p "$STACK_STATE" || die "$EXIT_FAILED" "$STACK_STATE: cannot be made; set PGLAB_DATA to a folder that can be written"
  "$REPO_ROOT/scripts/probes/topology.sh" | write_atomic "$STACK_STATE/topology.json"
  _use_database "$database"
  prepare_sql "$file"
  # A process may be needless when a variable says that the user has it elsewhere ("unless": "CUBE_URL").
  processes=$(jq -c -L "$REPO_ROOT/scripts/jq" --argjson variant "$variant" 'include "variant"; environment_in($variant) as $env | .processes[]
    | select(.unless == null or env[.unless] == null) | .env = $env' "$file")
  while IFS= read -r process; do
    [[ -z $process ]] || _start "$process"
  done <<<"$processes"
  _warm_up "$file"
  [[ -z ${PGHOST:-} ]] || _pin_database
}

# _require_needs TARGET_FILE: exits with a line unless what the target needs, and the libraries of its programs, are here.
_require_needs() {
  local need needs
  needs=$(jq -r '(.needs // [])[], (.processes[] | select((.unless == null or env[.unless] == null) and .argv[0] == "node")
    | "apps/node_modules", (.argv[1] | sub("[^/]*$"; "node_modules")))' "$1")
  for need in $needs; do
    [[ $need != */node_modules ]] || _names_libraries "${need%/*}/package-lock.json" || continue
    if [[ $need == */* ]]; then [[ -e $REPO_ROOT/$need ]]; else have "$need"; fi || die "$EXIT_FAILED" "$need is missing: run scripts/setup.sh"
  done
}

# _names_libraries LOCK: exit 0 where that file of the repository is there, and names some.
_names_libraries() {
  local code=0
  [[ -e $REPO_ROOT/$1 ]] || return 1
  jq -e '.packages[""].dependencies' "$REPO_ROOT/$1" >/dev/null 2>&1 || code=$?
  ((code <= 1)) || die "$EXIT_FAILED" "$1 is damaged: git checkout $1 brings it back"
  return "$code"
}

stack_check() {
  local role
  for role in $(_roles); do
    _alive "$role" || die "$EXIT_FAILED" "$role has stopped: $(_last_words "$role")"
  done
  [[ -z ${PGHOST:-} ]] || psql -XqAtc 'select 1' >/dev/null 2>&1 || die "$EXIT_FAILED" "the database does not answer at $PGHOST:$PGPORT"
}

stack_verify() {
  "$REPO_ROOT/scripts/probes/verify.sh" "$@"
}

# Stops in reverse order of starting: SIGTERM, a bounded wait, then SIGKILL.
stack_down() {
  local role pid
  for role in $(_roles | tac); do
    if pid=$(process_of "$STACK_STATE/$role.pid"); then
      kill -TERM "$pid"
      wait_until 10 "$role (pid $pid) to stop" _stopped "$role" || kill -KILL "$pid"
    fi
    rm -f "$STACK_STATE/$role.pid" "$STACK_STATE/$role.port"
  done
  rm -f "$STACK_STATE/order"
}

stack_status() { _own_status; }

# _own_status: that of what we started. children: the processes that each has started itself, such as the workers of a cluster.
_own_status() {
  local role pid alive
  for role in $(_roles); do
    alive=false
    ! _alive "$role" || alive=true
    read -r pid _ <"$STACK_STATE/$role.pid"
    printf '"%s" %s %s %s [%s]\n' "$role" "$pid" "$(<"$STACK_STATE/$role.port")" "$alive" "$(process_children "$pid" | paste -s -d , -)"
  done | jq -Rn '[inputs | split(" ") | map(fromjson) | {(.[0]): {pid: .[1], port: .[2], alive: .[3], children: .[4]}}] | add // {}'
}

# As role monitor, which may see all of them.
stack_settings() {
  local assignments
  [[ $1 != none ]] || return 0
  assignments=$("$REPO_ROOT/scripts/database.sh" env monitor)
  (use_exports "$assignments" && settings_of "$1")
}

# The postmaster stands for all of PostgreSQL's processes.
stack_roles() {
  local database='{}'
  [[ -z ${PGHOST:-} ]] || database=$("$REPO_ROOT/scripts/database.sh" status)
  stack_status | jq --argjson database "$database" 'map_values(.pid) + if $database.pid then {postgres: $database.pid} else {} end
    + if $database.storage then {storage: $database.storage} else {} end
    + ($database.standbys // [] | to_entries | map({key: "standby\(.key + 1)", value: .value}) | from_entries)'
}

stack_monitor() {
  "$REPO_ROOT/scripts/database.sh" env monitor
}

stack_admin() {
  "$REPO_ROOT/scripts/database.sh" env admin
}

stack_stop() {
  stack_down
  "$REPO_ROOT/scripts/database.sh" down
}

# stack_exec COMMAND...: becomes a load tool, where the target can be reached. To be called in a subshell.
stack_exec() {
  _pin generator "$BASHPID"
  exec "$@"
}

# stack_generator NUMBER OF COMMAND...: each has a slice of the generators' cores of its own where there are as many.
stack_generator() {
  local cores
  local -a before
  generator_via "$1"
  (
    _pin generator "$BASHPID"
    cores=$(jq -r -L "$REPO_ROOT/scripts/jq" --argjson number "$1" --argjson of "$2" 'include "generators"; .roles.generator // "" | slice($number; $of)' "$STACK_STATE/topology.json")
    [[ -z $cores ]] || taskset -cp "$cores" "$BASHPID" >/dev/null
    exec "${before[@]}" "${@:3}"
  )
}

# _pin ROLE PID: keeps a process and its children to the cores that scripts/probes/topology.sh gave its role, if any.
_pin() {
  local cores
  cores=$(jq -r --arg role "$1" '.roles[$role] // empty' "$STACK_STATE/topology.json")
  [[ -z $cores ]] || taskset -acp "$cores" "$2" >/dev/null
}

# The postmaster, of which later children inherit their cores, and the children that it has by now: checkpointer, writers, I/O workers.
_pin_database() {
  local pid child
  pid=$(stack_roles | jq '.postgres // empty')
  [[ -n $pid ]] || return 0
  _pin postgres "$pid"
  for child in $(process_children "$pid"); do
    _pin postgres "$child" 2>/dev/null || ! process_started "$child" >/dev/null ||
      die "$EXIT_FAILED" "process $child of PostgreSQL cannot be kept to its cores"
  done
}

# The roles that were started, in order.
_roles() {
  [[ ! -e $STACK_STATE/order ]] || cat "$STACK_STATE/order"
}

_alive() { process_of "$STACK_STATE/$1.pid" >/dev/null; }
_stopped() { ! _alive "$1"; }
_last_words() {
  local line
  line=$(grep -E '^([A-Za-z]*Error( \[[A-Z_]+\])?|error):' "$STACK_STATE/$1.log" | tail -n 1) || # not what Node prints after it
    line=$(grep -v '^ *$' "$STACK_STATE/$1.log" | tail -n 1) || line='it printed nothing'
  printf '%s (see %s)\n' "$line" "$STACK_STATE/$1.log"
}

# Exports PG* of role app, for targets and tools alike; a target without a database gets none.
_use_database() {
  unset_libpq
  [[ $1 != none ]] || return 0
  local assignments
  stack_prepare "$1"
  assignments=$("$REPO_ROOT/scripts/database.sh" env app)
  use_exports "$assignments"
}

# _warm_up TARGET_FILE: asks for as long as the target says: a runtime that compiles what runs often would else be measured before it has.
_warm_up() {
  local warm_up path seconds fault
  warm_up=$(jq -r '.warm_up // empty | "\(.path) \(.seconds)"' "$1")
  [[ -n $warm_up ]] || return 0
  read -r path seconds <<<"$warm_up"
  fault=$(node "$REPO_ROOT/scripts/probes/warm-up.js" "$BASE_URL" "$path" "$seconds") || die "$EXIT_FAILED" "the target cannot be warmed up: $fault; $(_last_words target)"
}

# _start PROCESS_JSON: {"role","port","argv","health","env"}; returns when its health check answers 200.
_start() {
  local process=$1 role port health
  local -a argv environment
  role=$(jq -r .role <<<"$process")
  port=$(port_of "$role" "$(jq -r .port <<<"$process")")
  health=http://127.0.0.1:$port$(jq -r .health <<<"$process")
  lines_of argv jq -r '.argv[]' <<<"$process"
  lines_of environment jq -r '.env | to_entries[] | "\(.key)=\(.value)"' <<<"$process"
  ! _port_answers "$port" || die "$EXIT_FAILED" "port $port is taken: stop what listens there, or set another ($(_port_variable "$role"))"
  (cd "$REPO_ROOT" && exec nohup env "PORT=$port" HOST=127.0.0.1 "${environment[@]}" "${argv[@]}") >"$STACK_STATE/$role.log" 2>&1 </dev/null &
  process_note "$!" "$STACK_STATE/$role.pid"
  disown "$!" # its end is ours to notice, not the shell's to announce
  printf '%s\n' "$port" >"$STACK_STATE/$role.port"
  printf '%s\n' "$role" >>"$STACK_STATE/order"
  _pin "$role" "$!"
  wait_until 120 "$role to answer at $health" _settled "$role" "$health" ||
    die "$EXIT_FAILED" "$role does not answer$(_status_of "$health"): $(_last_words "$role")"
  _alive "$role" || die "$EXIT_FAILED" "$role stopped while starting: $(_last_words "$role")"
  [[ $role != target && $role != null ]] || export BASE_URL=http://127.0.0.1:$port
}

_port_answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
_port_variable() { printf '%s_PORT\n' "${1^^}"; }

# _status_of URL: prints what it answers, if it does.
_status_of() {
  local answer
  answer=$(curl -q -sS --max-time 5 -w '\n%{http_code}' "$1" 2>/dev/null) || return 0
  printf ' with 200 but with %s at %s (%.200s)' "${answer##*$'\n'}" "$1" "${answer%%$'\n'*}"
}

# Settled: it answers, or it is dead and waiting longer is pointless.
_settled() { _stopped "$1" || curl -q -fsS --max-time 5 -o /dev/null "$2"; }
