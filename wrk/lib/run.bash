# shellcheck shell=bash
# A wrk workload at full settings, for the wrappers wrk/<workload>.sh.
# shellcheck source=scripts/lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib/common.bash"

# run_wrk PATH [URL]: 400 connections for 30 s on 12 threads, or as many as there are cores. A URL without a path gets PATH.
run_wrk() {
  local own_path=$1 url=${2:-http://127.0.0.1:3000} cores
  help_if_asked "${@:2}"
  [[ $# -le 2 && $url == http?(s)://?* ]] || usage_error "it takes one address, such as http://127.0.0.1:3000"
  require_cmd wrk
  [[ $url == *://*/?* ]] || url=${url%/}$own_path
  cores=$(getconf _NPROCESSORS_ONLN)
  local command=(wrk "-t${THREADS:-$((cores < 12 ? cores : 12))}" "-c${CONNECTIONS:-400}" "-d${DURATION_S:-30}s" --timeout 30s --latency
    -s "${0%.sh}.lua" "$url")
  printf '%s\n' "${command[*]}"
  exec "${command[@]}"
}
