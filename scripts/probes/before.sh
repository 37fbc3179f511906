#!/usr/bin/env bash
# Summary: checks, before any work, that a run can succeed: addresses answer, ports are free, memory and disk suffice.
# Usage: scripts/probes/before.sh [RUN]
#
# RUN is a folder with plan.json and options.json; without it only addresses are asked, which takes nothing but Node.js. STACK,
# EXTERNAL_URL, EXTERNAL_PID, EXTERNAL_DSN and CUBE_URL come from the environment. Each probe takes two seconds at most and changes nothing. Prints what
# the run takes of the machine. Exit 2, with one line that says what to do, at the first probe that fails; 64 when a dataset cannot have the
# scale that is asked for.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/process.bash
source "$REPO_ROOT/scripts/lib/process.bash"

# fail LINE...: what is wrong, and what to do.
fail() { die "$EXIT_FAILED" "$@"; }

# answers NAME URL SHOWN: something answers there; SHOWN is what a person may see of the address. Somebody's own script says itself which certificates count.
answers() {
  local reason
  have node || return 0 # set-up asks for it, first of all
  reason=$(node "$REPO_ROOT/scripts/probes/answers.js" "$2" ${EXTERNAL_SCRIPT:+--any-certificate}) || fail "$1 $3: ${reason:-cannot be asked}; start it, or correct the address"
}

# dsn_host: prints host:port of EXTERNAL_DSN where it names one host in so many words. What else libpq takes is for libpq to resolve.
dsn_host() {
  local uri='^postgres(ql)?://([^@/?]*@)?([A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\])(:([0-9]+))?(/[^?]*)?(\?.*)?$'
  [[ ! $EXTERNAL_DSN =~ [?\&](host|hostaddr|port|service)= && $EXTERNAL_DSN =~ $uri ]] || return 0
  printf '%s:%s\n' "${BASH_REMATCH[3]}" "${BASH_REMATCH[5]:-${PGPORT:-5432}}"
}

probe_addresses() {
  local server=''
  [[ -z ${EXTERNAL_URL:-} ]] || answers --url "$EXTERNAL_URL" "$EXTERNAL_URL"
  [[ -z ${EXTERNAL_DSN:-} ]] || in_cluster "$STACK" || server=$(dsn_host) # pods have a network of their own
  [[ -z $server ]] || answers --dsn "tcp://$server" "$server"
}

# probe_pid: warns where the process that is watched is not the one that answers. A shell that has started both the server and the run would be watched with the load generator.
probe_pid() {
  local port
  ! process_began "${EXTERNAL_PID:-none}" "$$" || fail "--pid $EXTERNAL_PID: this run is one of the processes that it has started: name the server's own"
  [[ -n ${EXTERNAL_PID:-} && $EXTERNAL_URL =~ ^[a-z]+://[^/]*:([0-9]+)(/|$) ]] || return 0
  port=${BASH_REMATCH[1]}
  process_listens "$EXTERNAL_PID" "$port" || warn "--pid $EXTERNAL_PID: neither it nor a process that it has started listens on port $port: is it the server's?"
}

# needs RUN: prints what the planned run needs of the machine, as JSON.
needs() {
  local elsewhere=false
  local -a targets
  lines_of targets target_files
  [[ -z ${CUBE_URL:-} ]] || elsewhere=true
  jq -n --slurpfile plan "$1/plan.json" --slurpfile options "$1/options.json" --argjson cube_elsewhere "$elsewhere" \
    --argjson targets "$(jq -s . "${targets[@]}")" \
    --argjson databases "$(jq -n '[inputs | {(input_filename | split("/")[-1] | rtrimstr(".json")): .}] | add' scripts/declared/databases/*.json)" \
    '{plan: $plan[0], options: $options[0], $targets, $databases, $cube_elsewhere}' | jq -L scripts/jq -f scripts/jq/needs.jq
}

# probe_scale RUN: every dataset of the plan can have the scale.
probe_scale() {
  local name names scale
  scale=$(jq .scale "$1/options.json")
  names=$(jq -r '[.groups[].cells[].database, .open[]?.cell.database] | unique[]' "$1/plan.json")
  for name in $names; do
    # shellcheck source=/dev/null # each dataset has its own rule
    [[ ! -e scripts/declared/databases/$name.json ]] || (pg_profile "$name" && source "$REPO_ROOT/scripts/datasets/$PG_DATASET.bash" && dataset_database "$scale" >/dev/null)
  done
}

# probe_ports NEEDS: nobody else listens where this run will.
probe_ports() {
  local roles role port i
  local -a standbys
  ! in_cluster "$STACK" || return 0 # it takes none of this machine's
  roles=$(jq -r '.processes[] | "\(.role) \(.port)"' <<<"$1")
  while read -r role port; do
    ! in_containers "$STACK" || [[ $role != null ]] || role=target # a container's port is the same whatever it is
    [[ -z $role ]] || probe_port "${role^^}_PORT" "$(port_of "$role" "$port")"
  done <<<"$roles"
  [[ $STACK != external ]] || return 0
  if (($(jq .servers <<<"$1") > 0)); then probe_port PG_PORT "$PG_PORT"; fi
  read -r -a standbys <<<"$STANDBY_PORTS"
  ((${#standbys[@]} + 1 >= $(jq .servers <<<"$1"))) || usage_error "STANDBY_PORTS is '$STANDBY_PORTS': this run needs two ports"
  for ((i = 1; i < $(jq .servers <<<"$1"); i++)); do
    probe_port STANDBY_PORTS "${standbys[i - 1]}"
  done
}

# probe_port VARIABLE PORT: nobody listens there, or something of ours does, which the run will stop; and we may listen there.
probe_port() {
  [[ $2 =~ ^[0-9]{1,5}$ ]] || usage_error "$1 is $2: must be the number of a port"
  in_containers "$STACK" || [[ $2 -ge $(first_port "$1") ]] || fail "port $2 is for programs of root alone: set another ($1)"
  if (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null && ! is_ours "$2"; then
    fail "port $2 is taken: stop what listens there, or set another ($1)"
  fi
}

# first_port VARIABLE: prints the least port at which we may listen; PostgreSQL is never root.
first_port() {
  local file=/proc/sys/net/ipv4/ip_unprivileged_port_start
  if [[ ! -r $file || ($EUID == 0 && $1 != @(PG_PORT|STANDBY_PORTS)) ]]; then echo 1; else cat "$file"; fi
}

# is_ours PORT: true when a stack or a cluster of this clone listens there.
is_ours() {
  local file
  ! in_containers "$STACK" || ! may_be_up "$STACK" || return 0
  for file in "$STACK_STATE"/*.port; do
    [[ ! -e $file || $(<"$file") != "$1" ]] || ! process_of "${file%.port}.pid" >/dev/null || return 0
  done
  for file in ${PG_ROOT:+"$PG_ROOT"/*/*/postmaster.pid}; do # its fourth line is the port
    [[ ! -e $file || $(sed -n 4p "$file") != "$1" ]] || ! pg_pid "${file%/*}" >/dev/null || return 0
  done
  return 1
}

# probe_disk NEEDS: room for the clusters, less what they take already. Where Docker keeps its volumes is Docker's to say.
probe_disk() {
  local clusters cluster bytes needed=0 used free_kb folder
  has_private_database "$STACK" || return 0
  clusters=$(jq -r '.disk | to_entries[] | "\(.key) \(.value)"' <<<"$1")
  while read -r cluster bytes; do
    [[ -n $cluster ]] || continue
    used=0
    [[ ! -d $PG_ROOT/$cluster ]] || used=$({ du -sk "$PG_ROOT/$cluster" 2>/dev/null || : "files come and go while a server runs"; } | cut -f 1)
    ((used * 1024 > bytes)) || needed=$((needed + bytes - used * 1024))
  done <<<"$clusters"
  folder=$PG_ROOT
  while [[ ! -d $folder ]]; do folder=$(dirname "$folder"); done
  free_kb=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
  ((needed <= free_kb * 1024)) ||
    fail "the disk of $folder has $((free_kb / 1024)) MB free, and the data of this run takes up to $((needed / 1048576)) MB: choose a smaller --scale, or another disk with PGLAB_DATA"
}

# probe_memory NEEDS: what is in use by others is theirs.
probe_memory() {
  local needed available
  ! in_cluster "$STACK" || return 0 # the cluster's is its scheduler's to give
  needed=$(jq .memory_bytes <<<"$1")
  available=$(memory_free_bytes)
  ((needed <= available)) ||
    fail "$((available / 1048576)) MB of memory are free, and this run takes about $((needed / 1048576)) MB: stop other programs, or choose a smaller --scale or fewer --levels"
}

# memory_free_bytes: prints the memory that programs can still have; of a container, no more than its limit.
memory_free_bytes() {
  local available limit
  if [[ -r /proc/meminfo ]]; then available=$(awk '$1 == "MemAvailable:" { printf "%.0f\n", $2 * 1024 }' /proc/meminfo); else available=$(memory_bytes); fi
  if limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null) && [[ $limit =~ ^[0-9]+$ ]] && ((limit < available)); then available=$limit; fi
  printf '%s\n' "$available"
}

main() {
  help_if_asked "$@"
  if [[ ${1:-} == --scale ]]; then
    cd "$REPO_ROOT"
    [[ $STACK == external ]] || probe_scale "$2"
    return
  fi
  (($# <= 1)) || usage_error "one run at a time"
  local needs
  probe_addresses
  (($# == 1)) || return 0
  cd "$REPO_ROOT"
  needs=$(needs "$1")
  [[ -z ${CUBE_URL:-} ]] || ! jq -e 'any(.groups[].target; . == "cube")' "$1/plan.json" >/dev/null || answers CUBE_URL "$CUBE_URL" "$CUBE_URL"
  probe_pid
  choose_stack "$STACK" >/dev/null
  if has_private_database "$STACK"; then
    pg_place
    [[ -z ${PG_BINDIR:-} ]] || pg_check_bin # without it, set-up installs one
  fi
  probe_ports "$needs"
  probe_memory "$needs"
  probe_disk "$needs"
  jq -r -L scripts/jq 'include "words"; "It needs \(.memory_bytes | megabytes) of memory" + if .disk == {} then "" else
    ", and \(.disk | add | megabytes) of disk for the data, which is loaded the first time in about \(.load_s | duration)" end' <<<"$needs"
}

main "$@"
