# input: a plan   output: lines for people: the order, each cell with what a person would paste, the estimated time
(.groups[] | "block \(.block)  \(.database) \(.target) \(.variant.name)", (.cells[] | "  \(.id)  \(.duration_s) s\t\(.by_hand)")),
"\([.groups[].cells[]] | length) cells\(if .open == [] then "" else " and \(.open | length) more of the open model, at shares of the peaks that these show," end) in \(.blocks) block(s), about \(if .estimate_s < 90 then "\(.estimate_s) s" else "\(.estimate_s / 60 | ceil) min" end) once the data is there"
