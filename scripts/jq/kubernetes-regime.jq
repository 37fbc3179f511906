# input: a template as text   $profile: the regime's database profile, slurped   output: the template, filled in
# CloudNativePG takes every parameter as a string.
$profile[0] as $p
| ($p.settings | with_entries(.value |= if type == "object" then "\(.mb_per_scale)MB" else tostring end)) as $settings
| {
    $regime, $image, $storage_class, $clients, $duration_s, $warmup_s,
    name: "pglab-\($regime)",
    branches: $p.table_options.branches,
    parameters: ($settings | to_entries | map("      \(.key): \(.value | tojson)") | join("\n"))
  } as $values
| gsub("\\{\\{(?<key>[a-z_]+)\\}\\}"; $values[.key] | tostring) | rtrimstr("\n")
