/**
 * Runs test files in one process, which loads what they share once: node --test-reporter=spec tests/lib/in-one-process.js FILE...
 * For units alone: what a file leaves in the process the next one finds.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
