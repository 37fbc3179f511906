include "counters";

def counted: database_counts | [.autovacuums, .bgwriter.buffers_checkpoint];

{
  "in one machine": counted,
  "in pods, whose files are fetched before the last reading": (. + {pods: true} | counted),
  "in pods, without a reading at the end": (. + {pods: true, at_end: null} | counted)
}
