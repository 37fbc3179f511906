-- PATCH /collections/test/documents/:id : as update, but always the same document: all wait for its lock.
local updates = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'lib/updates.lua')

updates.of(1)
