/** What was lost when the server was killed under load. */
import { join } from 'node:path';
import { readIfThere } from '../../analyse/run-folder.js';

/** @param {object} run see openRun @returns {object[]|null} see schema.json; null where no server was killed */
export const find = ({ folder }) => readIfThere(join(folder, 'survival.json'));
