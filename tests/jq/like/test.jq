include "like";

# input: bodies, JSON or text   output: for each whether it is like the example
def judged($example): map(if type == "string" then . else tojson end | try body_like($example) catch false);

map_values(.example as $example | {like: (.like | judged($example)), unlike: (.unlike | judged($example))})
