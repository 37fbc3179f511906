include "samples";

resources({duration_s: 2})
