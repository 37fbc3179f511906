# What a JSON file must be is said once, by its JSON Schema (scripts/declared/schema/); here a value is held against
# one, for the first fault in words that name the place and the value. Of the standard (2020-12) this knows what our
# schemas of files that people write use: type, enum, const, anyOf (its parts aside), minLength, pattern, minimum,
# exclusiveMinimum, maximum, minItems, maxItems, uniqueItems, minProperties, maxProperties, required, properties,
# additionalProperties, propertyNames (enum) and items. "must" is our own: what is said where the keywords alone would
# not be understood.

# input: a value   output: whether it is of a type that JSON Schema names
def _is($kind): if $kind == "integer" then type == "number" and . == floor else type == $kind end;

# input: a value
# output: whether it is what the schema's keywords ask of it, its parts aside. $ in a pattern is the end, not a line's.
def _fits($schema):
  . as $value
  | ($schema.type == null or _is($schema.type))
    and (($schema | has("const") | not) or . == $schema.const)
    and ($schema.enum == null or IN($schema.enum[]))
    and ($schema.anyOf == null or any($schema.anyOf[]; . as $one | $value | _fits($one)))
    and (if type == "number" then
        . >= ($schema.minimum // -infinite) and . <= ($schema.maximum // infinite)
        and . > ($schema.exclusiveMinimum // -infinite)
      elif type == "string" then
        length >= ($schema.minLength // 0) and ($schema.pattern == null or test($schema.pattern | sub("[$]$"; "\\z")))
      elif type == "array" then
        length >= ($schema.minItems // 0) and length <= ($schema.maxItems // infinite)
        and ($schema.uniqueItems != true or (unique | length) == length)
      elif type == "object" then
        length >= ($schema.minProperties // 0) and length <= ($schema.maxProperties // infinite)
      else true end);

# input: words   output: one of them, as a sentence has it: "a, b or c"
def one_of: if length < 2 then .[0] else "\(.[:-1] | join(", ")) or \(.[-1])" end;

# input: a schema of a number   output: in which range it is
def _range:
  (if .minimum != null and .maximum != null then " from \(.minimum) to \(.maximum)"
   elif .minimum != null then " from \(.minimum) up"
   elif .exclusiveMinimum != null then " above \(.exclusiveMinimum)" else "" end)
  + (if .minimum == null and .maximum != null then ", \(.maximum) at most" else "" end);

# input: a schema   output: what a value must be
def _must:
  if .must then .must
  elif has("const") then .const | tojson
  elif .enum then .enum | map(tojson) | one_of
  elif .anyOf then .anyOf | map(_must) | one_of
  else {
      integer: "a whole number\(_range)", number: "a number\(_range)", boolean: "true or false", object: "an object",
      array: "a list\(if .minItems then " of \(.minItems) at least" else "" end)", string: "text"
    }[.type] end;

# input: a value   $schema: the JSON Schema of it   $path: what its place is called, "" for the whole file
# output: null, or its first fault in one line
def schema_fault($schema; $path):
  . as $value
  | ($schema.properties // {}) as $known
  | $schema.additionalProperties as $others
  | ($schema.propertyNames.enum // if $others == false then $known | keys_unsorted else null end) as $names
  | first(
      (select(_fits($schema) | not)
        | "\(if $path == "" then "the file" else $path end) is \(tojson): must be \($schema | _must)"),
      (objects
        | (select($names) | keys[] | select(IN($names[]) | not)
            | "\($path).\(.) is not known; there are \($names | join(", "))"),
          ($known | to_entries[] | .key as $key | .value as $part
            | if $value | has($key) then $value[$key] | schema_fault($part; "\($path).\($key)") | values
              else select($schema.required // [] | index([$key]))
                | "\($path).\($key) is missing: it must be \($part | _must)" end),
          (select($others | type == "object") | keys[] | select(in($known) | not) as $key
            | $value[$key] | schema_fault($others; "\($path).\($key)") | values)),
      (arrays | select($schema.items) | to_entries[] | .key as $i
        | .value | schema_fault($schema.items; "\($path)[\($i)]") | values))
  // null;
