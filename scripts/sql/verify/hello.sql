-- Prints requests and their answers: status, path and body, separated by tabs. Without a body, any error of that status will do.
select 200, '/', 'Hello World!'
union all
select 404, '/no-such-path', '';
