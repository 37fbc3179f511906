-- Ends the sessions of one's own role, but this one and the sampler's, and prints how many there were.
select /* pglab */ count(pg_terminate_backend(pid)) from pg_stat_activity
where usename = current_user and pid <> pg_backend_pid() and application_name <> 'pglab-sampler';
