# input: [plan] of the experiments of a suite   output: lines for people: trials and estimated time of each, and the sum
include "words";
def trials: [.groups[].cells[]] + .open | length;
def left($n): tostring | . + (" " * ($n - length) // "");
def right($n): tostring | (" " * ($n - length) // "") + .;
(map(.experiment | length) | max) as $width
| (.[] | "  \(.experiment | left($width))  \(trials | right(6)) trials  \(.estimate_s | duration | right(9))"),
  "\(length | counted("experiment")), \(map(trials) | add | counted("trial")), "
  + "about \(map(.estimate_s) | add | duration) once the data is there"
