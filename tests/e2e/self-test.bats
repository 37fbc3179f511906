#!/usr/bin/env bats
# The self-test, for real: what theory says of p99 the open model shows, and of a freeze the closed one hides it.

@test "a freeze of 2 s in 8, and answers 10 s late: the open model's p99 is within 5 % of theory; the closed one shows less than a tenth of the freeze" {
  cd "$BATS_TEST_DIRNAME/../.."
  scripts/drills/self-test.sh
}
