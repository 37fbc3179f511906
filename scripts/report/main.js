/** Entry of scripts/stages/report.sh: RUN/report.md, RUN/report.html and RUN/charts/. */
import { join, resolve } from 'node:path';
import { writeAtomic } from '../analyse/files.js';
import { fail, readResults } from '../analyse/run-folder.js';
import { plural } from '../analyse/words.js';
import { answersOf } from './answers/story.js';
import { detailsOf } from './details.js';
import { drawCharts } from './draw.js';
import { markdown } from './markdown.js';
import { reportPage } from './page.js';

try {
  await report(resolve(process.argv[2]));
} catch (error) {
  fail(error);
}

async function report(folder) {
  const results = readResults(folder);
  results.answers = answersOf(results);
  const charts = await drawCharts(folder, results);
  writeAtomic(join(folder, 'report.md'), markdown(results, charts));
  writeAtomic(join(folder, 'report.html'), await reportPage(results, detailsOf(folder, results)));
  process.stderr.write(`report: ${join(folder, 'report.html')} and report.md, ${plural(charts.size, 'chart')}\n`);
}
