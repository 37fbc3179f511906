-- PATCH /collections/test/documents/:id : sets a field of a document, each time another one of the first 10,000.
local updates = dofile((debug.getinfo(1, 'S').source:match('^@(.*/)') or './') .. 'lib/updates.lua')

updates.of(10000)
