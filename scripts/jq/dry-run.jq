# input: a plan   $generators: as --generators says, or ""
# output: lines for people: the order, each cell with what a person would paste, the estimated time
include "words";
(.groups[]
  | "block \(.block)  \(.database) \(.target) \(.variant.name)",
    (.cells[] | (if .requests then "\(.requests) requests" else "\(.duration_s) s" end) as $length
      | "  \(.id)  \($length)\t\(.by_hand)")),
([.groups[].cells[]] | length | counted("trial"))
+ (if .open == [] then ""
  else " and \(.open | length) more of the open model, at shares of the peaks that these show," end)
+ "\(searches_text) in \(.blocks | counted("block")), about \(.estimate_s | duration) once the data is there"
+ if $generators == "auto" then "; how many load generators share each is tried first" else "" end
