# Seeded random order. The generator is Park and Miller's "minimal standard" (multiplier 16807, modulus 2^31 - 1):
# its products stay below 2^53, so jq's doubles are exact and every machine gets the same order.

def _next: . * 16807 % 2147483647;

# input: any array   output: the same elements in an order that $seed (a whole number) alone decides
def shuffle($seed):
  . as $items
  | (($seed * 7919 + 104729) % 2147483646 + 1 | _next | _next | _next) as $start
  | [foreach range(length) as $i ($start; _next; .)] as $keys
  | [range(length)] | sort_by($keys[.]) | map($items[.]);
