-- {profile: {"version", "settings"}}: the server's version and every setting that is not PostgreSQL's own default.
-- pglab.memory_bytes is the memory that the profile lets the server take; being nobody's setting, pg_settings does not show it.
-- Paths and the port are left out: they say where, not how. Variable: profile.
select jsonb_build_object(:'profile', jsonb_build_object(
  'version', current_setting('server_version'),
  'settings', (
    select jsonb_object_agg(name, current_setting(name))
    from pg_settings
    where setting is distinct from boot_val
      and source <> 'override' and category not like 'Preset%' and category not like 'File Locations%'
      and name not in ('port', 'application_name', 'unix_socket_directories', 'config_file', 'hba_file', 'ident_file', 'data_directory'))
    || jsonb_strip_nulls(jsonb_build_object('pglab.memory_bytes', current_setting('pglab.memory_bytes', true)))));
