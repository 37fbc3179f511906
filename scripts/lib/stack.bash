# shellcheck shell=bash
# What all stacks share: which stack is used, where its state lies, and the environment that targets and tools get.
# A stack is one file, scripts/stacks/<name>.bash. Its head has lines that are read without running the file:
#   # Summary: TEXT                         what it is, for --help
#   # Programs: containers                  they run in containers of an engine here; `cluster`: on the machines of a cluster; without the line: here, as this user
#   # Leaves: FILE                          is in $STACK_STATE for as long as anything of it may be up, by which it is found again without $STACK
# It implements five verbs:
#   stack_up DATABASE TARGET VARIANT_JSON   a fresh target (and its database, when DATABASE is not "none") answers its health check
#   stack_check                             everything that was started still runs and answers; one line says what does not
#   stack_verify TARGET [WORKLOAD...]       the target's answers equal SQL's own
#   stack_down                              stops the target, by pid
#   stack_status                            JSON on stdout: {"role": {"pid", "port", "alive", "children": [pid]}}
# and seven around them:
#   stack_prepare DATABASE [PLAN]           the dataset is loaded and the server up; what the plan asks may be read
#   stack_settings DATABASE                 JSON: the server's version and the settings that are not its defaults
#   stack_exec COMMAND...                   runs a load tool where the target can be reached
#   stack_roles                             JSON for the sampler: {"role": pid}, PostgreSQL's among them
#   stack_monitor                           `export` lines with which the database can be watched, none where there is none
#   stack_admin                             `export` lines with which a target's database may be administered
#   stack_stop                              nothing of ours is left running
# and sixteen that have a default here, for stacks that do these in their own way:
#   stack_can_run                           whether it can run here; prints one line that says which, or what is missing
#   stack_lacks                             prints KEY REASON, or KEY=VALUE REASON, a line each: what a database profile may ask for and it cannot have
#   stack_locks                             prints KIND NAME, a line each: what a run has for itself, beside ports and data, such as a namespace
#   stack_generator NUMBER OF COMMAND...    runs a load tool, one of several that share a load; GENERATOR_<number>_VIA in the environment goes before it
#   stack_counters ARGUMENT...              scripts/probes/counters.sh, where psql is
#   stack_tool COMMAND...                   runs one of the load tools, to ask its version
#   stack_writes FOLDER                     lets the sampler and the load tools write there
#   stack_sampler                           becomes the sampler, where the processes are that it watches; it ends with its stdin
#   stack_begins FILE                       prints the words, a line for each, that go before a load tool which is not there at once: they write to FILE when it began
#   stack_watch                             tells the sampler what WATCH_FILE says, or that it is gone
#   stack_over                              says to what runs beside a trial that it is over, by a file in CELL_DIR
#   stack_fetch                             brings to CELL_DIR what the load tools have written there, where they run
#   stack_images                            JSON: {"image": its digest or id}, null where there are none
#   stack_nodes                             JSON: the nodes of a cluster, see environment.json; null where there is none
#   stack_cluster                           JSON: what a cluster was asked for, see environment.json; null where there is none
#   stack_connection                        JSON: somebody else's database, as it was reached, see environment.json; else null
# Those that can reach somebody else's database have one more:
#   stack_resolve                           EXTERNAL_DATABASE is what libpq makes of EXTERNAL_DSN, see scripts/lib/dsn.bash
# Those whose generators, with the sampler, have clocks of their own, too:
#   stack_clocks                            reads them by the first generator's; prints lines as scripts/generators/clocks.js does

TARGET_PORT=${TARGET_PORT:-3000}
NULL_PORT=${NULL_PORT:-3001}
CUBE_PORT=${CUBE_PORT:-4000}
STACK_STATE=${PGLAB_DATA:-$REPO_ROOT/.data}/stack
WATCH_FILE=$STACK_STATE/watch/cell.json # tells the sampler which cell is being measured; alone in its folder, which is watched
export TARGET_PORT NULL_PORT CUBE_PORT STACK_STATE WATCH_FILE

# shellcheck source=scripts/lib/targets.bash
source "$REPO_ROOT/scripts/lib/targets.bash"

# stack_names: prints the name of every stack, a line each.
stack_names() { basename -s .bash "$REPO_ROOT"/scripts/stacks/*.bash; }

# stack_file NAME: prints the file of the stack of that name.
stack_file() {
  local file=$REPO_ROOT/scripts/stacks/$1.bash names
  if [[ ! $1 =~ ^[a-z]+$ || ! -r $file ]]; then
    names=$(stack_names | paste -sd , -)
    names=${names//,/, }
    usage_error "no such stack: $1; there are ${names%, *} and ${names##*, }"
  fi
  printf '%s\n' "$file"
}

# stack_says NAME KEY: prints what the head of that stack's file says; nothing where it does not say, or there is no such stack.
stack_says() {
  local file=$REPO_ROOT/scripts/stacks/$1.bash
  [[ ! -r $file ]] || sed -n -e '/^#/!q' -e "s/^# $2: //p" "$file"
}

# stack_load NAME: sources the stack of that name.
stack_load() {
  local file
  file=$(stack_file "$1")
  export STACK=$1
  # shellcheck source=/dev/null # chosen at run time
  source "$file"
}

# of_stack NAME FUNCTION: runs that function of a stack which is not loaded, and is not afterwards; its default where there is no stack of that name.
of_stack() { ({ [[ ! -r $REPO_ROOT/scripts/stacks/$1.bash ]] || stack_load "$1"; } && "$2"); }

# The defaults: all is this machine's, and there are no images.
# shellcheck disable=SC2317 # a stack may put its own in their place
stack_counters() { "$REPO_ROOT/scripts/probes/counters.sh" "$@"; }

# shellcheck disable=SC2317
stack_can_run() { :; } # set-up brings all that it needs
# shellcheck disable=SC2317
stack_locks() { :; }
# shellcheck disable=SC2317 # of juicefs.bash and memory.bash, which scripts/stages/plan.sh has
stack_lacks() {
  local why
  ! why=$(juicefs_missing) || echo "storage=juicefs $why"
  ! why=$(memory_missing) || echo "memory $why"
}

# counters LOG ARGUMENT...: prints stack_counters' JSON; null where there is no database or, with a warning, where it does not answer.
counters() {
  local log=$1 taken=null
  shift
  if [[ -n ${PGHOST:-} ]] && ! taken=$(stack_counters "$@" 2>>"$log"); then
    warn "no counters from the database: $(tail -n 1 "$log")"
    taken=null
  fi
  printf '%s\n' "$taken"
}

# shellcheck disable=SC2317
stack_generator() {
  local -a before
  generator_via "$1"
  (stack_exec "${before[@]}" "${@:3}")
}

# is_loopback URL
is_loopback() { [[ $1 =~ //(127\.|localhost|\[::1\]) ]]; }

# generator_via NUMBER: sets `before` to the words that go before the command of that generator, for VIA_LIMIT_S seconds at most: none where the target is on loopback, such as the null
# responder, which a generator elsewhere cannot reach.
generator_via() {
  local via="GENERATOR_$1_VIA"
  before=()
  if ! is_loopback "${BASE_URL:-}"; then
    read -r -a before <<<"${!via:-}"
    # what may hang beside the tool, such as a connection, is bounded, too
    ((${#before[@]} == 0)) || before=(timeout --foreground --kill-after=10 "$VIA_LIMIT_S" "${before[@]}")
  fi
}

# shellcheck disable=SC2317
stack_begins() { :; }
# shellcheck disable=SC2317
stack_tool() { have "$1" && "$@"; }
# shellcheck disable=SC2317
stack_images() { echo null; }
# shellcheck disable=SC2317
stack_writes() { :; }
# shellcheck disable=SC2317
stack_sampler() { exec node "$REPO_ROOT/scripts/probes/sampler/main.js" "$WATCH_FILE"; }
# shellcheck disable=SC2317
stack_watch() { :; } # it watches the file itself
# shellcheck disable=SC2317
stack_over() { touch "$CELL_DIR/over"; }
# shellcheck disable=SC2317
stack_fetch() { :; }
# shellcheck disable=SC2317
stack_nodes() { echo null; }
# shellcheck disable=SC2317
stack_cluster() { echo null; }
# shellcheck disable=SC2317
stack_connection() { echo null; }

# settings_of DATABASE: prints stack_settings' JSON, as the role of PGUSER may see it.
settings_of() { psql -qAtX -v ON_ERROR_STOP=1 -v profile="$1" -f "$REPO_ROOT/scripts/sql/settings.sql"; }

# prepare_sql TARGET_FILE: makes the objects that the target has of its own, such as a materialised view: by SQL that can run again, named in its target.json.
prepare_sql() {
  local sql
  sql=$(jq -r '.prepare // empty' "$1")
  [[ -z $sql ]] || psql -qX -v ON_ERROR_STOP=1 -f "$REPO_ROOT/$sql" >"$STACK_STATE/prepare.log" 2>&1 ||
    die "$EXIT_FAILED" "$sql failed: $(grep -o -m 1 'ERROR: .*' "$STACK_STATE/prepare.log" || tail -n 1 "$STACK_STATE/prepare.log")"
}

# in_containers STACK: whether its programs are in containers of an engine here.
in_containers() { [[ $(stack_says "$1" Programs) == containers ]]; }

# in_cluster STACK: whether its programs are on the machines of a cluster.
in_cluster() { [[ $(stack_says "$1" Programs) == cluster ]]; }

# in_images STACK: whether its programs are in images, not on this machine.
in_images() { in_containers "$1" || in_cluster "$1"; }

# has_private_database STACK: whether its database is what scripts/database.sh brings up here; of stack external it is somebody else's.
has_private_database() { [[ $1 != external ]] && ! in_images "$1"; }

# unset_libpq: none of libpq's variables reaches past the database that a stack chose.
unset_libpq() {
  local -a variables
  lines_of variables jq -r '.variables[]' "$REPO_ROOT/apps/lib/drivers.json"
  unset "${variables[@]}" PGTZ PGDATESTYLE PGGEQO PGREQUIRESSL PGLAB_CONNECTION
}

# What a person may have set in the shell for tools and targets by hand.
# shellcheck disable=SC2034 # others read it
BY_HAND=(FRAMEWORK POOL_SIZE STATEMENTS CONNECTIONS SHARED CUBE_WAIT_S STREAM_STALL_S NODE_OPTIONS NODE_PG_FORCE_NATIVE UV_THREADPOOL_SIZE
  GOMAXPROCS GOGC GOMEMLIMIT GODEBUG JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS)

# port_of ROLE DEFAULT: the port that a role listens on, after overrides from the environment.
port_of() {
  case $1 in
    target) printf '%s\n' "$TARGET_PORT" ;;
    null) printf '%s\n' "$NULL_PORT" ;;
    cube) printf '%s\n' "$CUBE_PORT" ;;
    *) printf '%s\n' "$2" ;;
  esac
}

# choose_stack NAME: prints it; exit 2 with one line where that stack cannot run here. Where NAME is empty: docker where it can run,
# else local, and one line that says which and why.
choose_stack() {
  local stack=$1 reason
  if [[ -n $stack ]]; then
    stack_file "$stack" >/dev/null
    reason=$(of_stack "$stack" stack_can_run) || die "$EXIT_FAILED" "stack $stack cannot run here: $reason; --stack local needs neither Docker nor a cluster"
  else
    stack=local
    ! reason=$(of_stack docker stack_can_run) || stack=docker
    log "stack: $stack ($reason); STACK=local or STACK=docker chooses another"
  fi
  printf '%s\n' "$stack"
}

# may_be_up NAME: whether that stack has left the file that its head names.
may_be_up() {
  local file
  file=$(stack_says "$1" Leaves)
  [[ -n $file && -e $STACK_STATE/$file ]]
}

# current_stack: prints the stack that is up by hand: $STACK, else the one that has left its file, else local.
current_stack() {
  local name names
  [[ -z ${STACK:-} ]] || { printf '%s\n' "$STACK" && return; }
  names=$(stack_names)
  for name in $names; do
    ! may_be_up "$name" || { printf '%s\n' "$name" && return; }
  done
  echo local
}
