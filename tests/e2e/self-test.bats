#!/usr/bin/env bats
# The freeze self-test, for real: what theory says of p99, the open model shows and the closed one hides.

@test "a freeze of 2 s in 8: the open model's p99 is within a tenth of theory, the closed one shows less than a tenth" {
  cd "$BATS_TEST_DIRNAME/../.."
  scripts/drills/self-test.sh
}
