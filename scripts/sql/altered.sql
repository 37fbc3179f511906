-- What one's own role has that no target may leave behind, a line each: settings that every session of it begins with, and relations that hide those of
-- schema public, as the schema of a role's name comes before it.
select /* pglab */ 'has settings of its own (' || array_to_string(setconfig, ', ') || '); alter role ' || current_user || ' reset all removes them'
from pg_db_role_setting where setrole = (select oid from pg_roles where rolname = current_user)
union all
select 'sees ' || mine.oid::regclass || ' in place of public.' || relname || '; drop it'
from pg_class mine join pg_class original using (relname)
where mine.relnamespace = (select oid from pg_namespace where nspname = current_user) and original.relnamespace = 'public'::regnamespace;
