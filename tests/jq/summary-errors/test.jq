include "summary";

map(errors_object)
