include "summary";

map([seconds_after(0), seconds_after(5), seconds_after(0.25)])
