# input: [plan] of the experiments of a suite   output: lines for people: cells and estimated time of each, and the sum
include "words";
def cells: [.groups[].cells[]] + .open | length;
def left($n): tostring | . + (" " * ($n - length) // "");
def right($n): tostring | (" " * ($n - length) // "") + .;
(map(.experiment | length) | max) as $width
| (.[] | "  \(.experiment | left($width))  \(cells | right(6)) cells  \(.estimate_s | duration | right(9))"),
  "\(length | counted("experiment")), \(map(cells) | add | counted("cell")), about \(map(.estimate_s) | add | duration) once the data is there"
