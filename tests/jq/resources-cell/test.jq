include "samples";

{without: resources({duration_s: 2}; null), within: resources({duration_s: 2}; {start: "2026-11-20T10:00:00.900Z", end: "2026-11-20T10:00:02.900Z"})}
