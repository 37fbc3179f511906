#!/usr/bin/env bats
# Which cores the roles get, on machines whose lscpu was captured (tests/fixtures/lscpu).

setup() {
  REPO=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  export SYS_ROOT=$BATS_TEST_TMPDIR/sys
  mkdir -p "$SYS_ROOT" "$BATS_TEST_TMPDIR/bin"
}

# on_machine FIXTURE [ALLOWED]: topology.sh as on that machine, where this process may use the CPUs of that list.
on_machine() {
  printf '#!/bin/sh\ncat "%s"\n' "$REPO/tests/fixtures/lscpu/$1.txt" >"$BATS_TEST_TMPDIR/bin/lscpu"
  printf '#!/bin/sh\necho "pid 1: current affinity list: %s"\n' "${2:-0-1023}" >"$BATS_TEST_TMPDIR/bin/taskset"
  chmod +x "$BATS_TEST_TMPDIR"/bin/*
  PATH=$BATS_TEST_TMPDIR/bin:$PATH run --separate-stderr "$REPO/scripts/probes/topology.sh"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
}

# output_is FILTER: true of the last output.
output_is() { jq -e "$1" <<<"$output" >/dev/null || { echo "not $1: $output" && false; }; }

sys() {
  mkdir -p "$(dirname "$SYS_ROOT/$1")"
  echo "$2" >"$SYS_ROOT/$1"
}

bats_require_minimum_version 1.5.0

@test "two cores are shared, and so are two cores with two threads each" {
  on_machine kvm-2-cores
  output_is '.layout == "shared" and .roles == null'
  on_machine dell-e4310
  output_is '.layout == "shared" and .roles == null'
}

@test "four cores: one for the target, one for the database, two for the generator" {
  on_machine visionfive2
  output_is '.layout == "pinned" and .roles == {generator: "2,3", target: "0", cube: "0", postgres: "1"}'
}

@test "siblings stay together, also where their numbers are apart" {
  on_machine meteor-lake
  output_is '.roles.target == "0,1,2,3,4,5,6,7" and .roles.postgres == "8,9,10,11,12,13,14,15" and .roles.generator == "16,17,18,19,20,21"'
}

@test "neighbours by node, not by number: target and database stay on the first socket as far as they can" {
  on_machine dell-r710
  output_is '.roles == {target: "0,2,8,10", cube: "0,2,8,10", postgres: "1,4,6,9,12,14", generator: "3,5,7,11,13,15"}'
}

@test "no processor belongs to two roles, none is lost, none is split from its sibling" {
  on_machine epyc-7451
  output_is '[.roles | .generator, .target, .postgres | split(",") | map(tonumber)]
    | (add | sort) == [range(96)] and (map(map(. % 48) | group_by(.) | map(length) | unique) | unique) == [[2]]'
  output_is '.roles.target == ([range(12), range(48; 60)] | map(tostring) | join(","))'
}

@test "only what this process may use is shared out" {
  on_machine epyc-7451 0-3,48-51
  output_is '.roles == {generator: "2,3,50,51", target: "0,48", cube: "0,48", postgres: "1,49"}'
  on_machine epyc-7451 0-2,48-50
  output_is '.layout == "shared"'
}

@test "governor, turbo, battery and SMT come from the system" {
  sys devices/system/cpu/cpu0/cpufreq/scaling_governor powersave
  sys devices/system/cpu/cpu1/cpufreq/scaling_governor powersave
  sys devices/system/cpu/intel_pstate/no_turbo 1
  sys devices/system/cpu/smt/active 1
  sys class/power_supply/BAT0/type Battery
  sys class/power_supply/BAT0/status Discharging
  on_machine visionfive2
  output_is '[.governor, .turbo, .battery, .smt] == ["powersave", false, true, true]'
  sys devices/system/cpu/cpu1/cpufreq/scaling_governor performance
  sys devices/system/cpu/intel_pstate/no_turbo 0
  sys class/power_supply/BAT0/status Charging
  on_machine visionfive2
  output_is '[.governor, .turbo, .battery] == ["performance,powersave", true, false]'
}

@test "what the system does not tell is null; a mouse has no say" {
  sys class/power_supply/mouse/type Battery
  sys class/power_supply/mouse/scope Device
  sys class/power_supply/mouse/status Discharging
  on_machine visionfive2
  output_is '[.governor, .turbo, .battery, .smt] == [null, null, null, null]'
  sys devices/system/cpu/cpufreq/boost 1
  on_machine visionfive2
  output_is '.turbo == true'
}

@test "without lscpu the cores are shared" {
  local tool
  for tool in bash env dirname jq awk sort paste cat; do
    ln -s "$(command -v "$tool")" "$BATS_TEST_TMPDIR/bin/$tool"
  done
  PATH=$BATS_TEST_TMPDIR/bin run "$REPO/scripts/probes/topology.sh"
  [ "$status" -eq 0 ]
  output_is '.layout == "shared" and .roles == null'
}

@test "an argument is refused" {
  run "$REPO/scripts/probes/topology.sh" --pin
  [ "$status" -eq 64 ]
}
