-- What libpq made of a connection: its own words, TLS among them, and on the last line, as JSON, the server that it chose.
\conninfo
select json_build_object('host', :'HOST', 'port', :'PORT', 'user', :'USER', 'database', :'DBNAME',
  'version', current_setting('server_version'), 'version_num', current_setting('server_version_num')::int);
