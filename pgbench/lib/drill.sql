-- Each client numbers its transactions, so that each acknowledged one can be looked for after a crash (scripts/drills/crash.sh).
\set n :n + 1
insert into drill.written (writer, client, n) values (:writer, :client_id, :n);
