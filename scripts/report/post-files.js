/** The files of a post: post.md, post.html and post.csv, details.md, and in charts/ the pictures that they show. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../analyse/files.js';
import { answersOf } from './answers/story.js';
import { drawCharts } from './draw.js';
import { markdown } from './markdown.js';
import { asked, post } from './post.js';
import { answersCsv } from './post-csv.js';
import { postPage } from './post-page.js';
import { toMarkdown } from './to-markdown.js';

/**
 * @param {string} folder empty @param {object} results results.json
 * @param {object[]} [earlier] results of the runs that this one replaces, the newest first: each answer says whether they agree
 */
export async function writePost(folder, results, earlier = []) {
  const told = { ...results, answers: answersOf(results, earlier) };
  const charts = await drawCharts(folder, told);
  const answers = asked(told.answers);
  const blocks = post(results, answers, charts);
  const [short, long] = [toMarkdown(blocks), markdown(told, charts, earlier)];
  writeAtomic(join(folder, 'post.md'), short);
  writeAtomic(join(folder, 'details.md'), long);
  writeAtomic(join(folder, 'post.html'), postPage(blocks, folder));
  writeAtomic(join(folder, 'post.csv'), answersCsv(answers));
  const shown = { svg: short + long, png: short };
  for (const file of readdirSync(join(folder, 'charts'))) {
    const [, name, kind] = /^(.+)\.(\w+)$/.exec(file);
    if (!shown[kind].includes(`(charts/${name}.svg)`)) rmSync(join(folder, 'charts', file));
  }
}
