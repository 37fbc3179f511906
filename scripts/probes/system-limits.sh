#!/bin/sh
# Summary: prints the operating system's limits that spoil a load test when they are too low: a name and its values a line.
# Usage: scripts/probes/system-limits.sh
#
# Plain sh, since it must also run where the load tools run, in a container that has no more. Open files are this process's own
# limits, soft and hard, which all that it could start would inherit. What the system does not tell has no line.

# shellcheck shell=dash
set -eu

[ "${1:-}" != --help ] || exec awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
net=${PROC_ROOT:-/proc}/sys/net # another root is for tests

# limit NAME FILE: what the kernel says there, on one line.
limit() {
  [ ! -r "$2" ] || printf '%s %s\n' "$1" "$(tr '\t' ' ' <"$2")"
}

limit local_ports "$net/ipv4/ip_local_port_range"
limit tcp_tw_reuse "$net/ipv4/tcp_tw_reuse"
limit somaxconn "$net/core/somaxconn"
printf 'open_files %s %s\n' "$(ulimit -Sn)" "$(ulimit -Hn)"
