#!/usr/bin/env bash
# Summary: picks the processors that each role may use, and says what else the machine's speed depends on. JSON on stdout.
# Usage: scripts/probes/topology.sh
#
#   {"layout": "pinned", "roles": {"generator": "2,3", "target": "0", "cube": "0", "postgres": "1"},
#    "governor": "performance", "turbo": true, "battery": false, "smt": false}
#
# With four cores or more that this process may use, generator, target and database get cores of their own: the target a
# quarter, since one Node process uses little more than one core; of the rest the generator gets the larger half, since a
# starved generator falsifies what a busy database only slows down. Cube belongs to its target. SMT siblings stay together,
# and neighbours in the machine's order stay neighbours, so that a role spans few NUMA nodes.
# With fewer cores, or without lscpu and taskset, {"layout": "shared", "roles": null}. What the system does not tell is null.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

SYS=${SYS_ROOT:-/sys} # another root is for tests

# first_of FILE...: what the first of these files that is there holds; nothing when there is none.
first_of() {
  local file
  for file in "$@"; do
    [[ ! -r $file ]] || { cat "$file" && return; }
  done
}

# cores: one line "NODE CPU..." per core that this process may use, in the machine's order; nothing where that is unknown.
cores() {
  have lscpu && have taskset || return 0
  local allowed
  allowed=$(taskset -cp $$)
  lscpu --parse=CPU,CORE,SOCKET,NODE | awk -F , -v allowed="${allowed##*: }" '
    BEGIN {
      for (n = split(allowed, ranges, ","); n > 0; n--) {
        last = split(ranges[n], range, "-")
        for (cpu = range[1]; cpu <= range[last]; cpu++) may[cpu]
      }
    }
    /^#/ || !($1 in may) { next }
    !(($3, $2) in cpus) { order[++count] = $3 SUBSEP $2; node[$3, $2] = $4 + 0 }
    { cpus[$3, $2] = cpus[$3, $2] " " $1 }
    END { for (i = 1; i <= count; i++) print node[order[i]] cpus[order[i]] }' | sort -s -n -k 1,1
}

# roles: stdin as from cores   stdout: {role: "0,1"}, or null
roles() {
  jq -R -s '
    [split("\n")[] | select(. != "") | split(" ")[1:] | map(tonumber)]
    | length as $n
    | if $n < 4 then null
      else ($n / 4 | floor) as $target | (($n - $target) / 2 | floor) as $database
        | def cpus($from; $upto): .[$from:$upto] | add | sort | map(tostring) | join(",");
          {generator: cpus($target + $database; $n), target: cpus(0; $target), cube: cpus(0; $target), postgres: cpus($target; $target + $database)}
      end'
}

# governors: those in use, "performance" or "performance,powersave"; nothing where frequencies are not ours to see.
governors() {
  local file
  for file in "$SYS"/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do
    [[ ! -r $file ]] || cat "$file"
  done | sort -u | paste -sd , -
}

# batteries: "Charging", "Discharging", ... of each battery of the machine (not of a mouse); nothing when it has none.
batteries() {
  local supply
  for supply in "$SYS"/class/power_supply/*; do
    [[ $(first_of "$supply/type") != Battery || $(first_of "$supply/scope") == Device ]] || first_of "$supply/status"
  done
}

# power: {"governor","turbo","battery","smt"}; battery is true while the machine lives on it.
power() {
  local cpu=$SYS/devices/system/cpu governor boost no_turbo battery smt
  governor=$(governors)
  boost=$(first_of "$cpu/cpufreq/boost")
  no_turbo=$(first_of "$cpu/intel_pstate/no_turbo")
  battery=$(batteries)
  smt=$(first_of "$cpu/smt/active")
  jq -n --arg governor "$governor" --arg boost "$boost" --arg no_turbo "$no_turbo" --arg battery "$battery" --arg smt "$smt" '
    def known(f): if . == "" then null else f end;
    {governor: ($governor | known(.)), turbo: (if $no_turbo != "" then $no_turbo == "0" else $boost | known(. == "1") end),
     battery: ($battery | known(contains("Discharging"))), smt: ($smt | known(. == "1"))}'
}

main() {
  help_if_asked "$@"
  (($# == 0)) || usage_error "unknown argument $1"
  local roles power
  roles=$(cores | roles)
  power=$(power)
  jq -n --argjson roles "$roles" --argjson power "$power" \
    '{layout: (if $roles then "pinned" else "shared" end), $roles} + $power'
}

main "$@"
