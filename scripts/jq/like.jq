# input: an answer
# output: true when it is like the example: the same types, and at least its keys; a list or a text is empty only where
# the example's is. The items of a list are compared with the example's first.
def like($example):
  type == ($example | type)
  and if type == "object" then
      . as $answer | all($example | keys_unsorted[]; . as $key | $answer[$key] | like($example[$key]))
    elif type == "array" and $example != [] then $example[0] as $item | length > 0 and all(.[]; like($item))
    elif type == "string" then length > 0 or $example == ""
    else true end;

# input: a body as text   output: true when it is like the example, which is a string for plain text
def body_like($example): if $example | type == "string" then . else fromjson end | like($example);

# input: an example   output: itself; where it echoes a text, the same with each of these instead
def with_values($values):
  if .echoes == null then . else
    .echoes as $old | $values[] as $new
    | .path |= rtrimstr($old) + $new | .answer |= walk(if . == $old then $new else . end) | .echoes = $new
  end;

# input: a body as text   output: true when it repeats what the example's answer does
def repeats($example):
  fromjson as $body
  | all($example | .echoes as $value | .answer | paths(. == $value);
      . as $at | $body | getpath($at) == $example.echoes);
