/** Reads a run folder. Nothing here writes. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isCalibration, placeKey, placeOf, trialId } from './identity.js';
import { withCurrentName } from './renamed.js';

/** The run folder cannot be used: one line for the user, exit status 2. */
export class DamagedRun extends Error {}

/** Reports what stopped an entry point, in one line where the cause is a file; exit status 2. */
export function fail(error) {
  const known = error instanceof DamagedRun || error.syscall !== undefined;
  process.stderr.write(`error: ${known ? error.message : error.stack}\n`);
  process.exitCode = 2;
}

/** What is printed must arrive: where it cannot, exit status 2, and one line unless the reader has gone. */
export function guardStdout() {
  process.stdout.on('error', ({ code }) => {
    if (code !== 'EPIPE') process.stderr.write(`error: stdout: cannot be written (${code})\n`);
    process.exit(2);
  });
}

/** @throws {DamagedRun} when the file is missing or not JSON */
export function readJson(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new DamagedRun(`${path}: cannot be read (${error.code})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedRun(`${path}: is not JSON; it may have been cut short`);
  }
}

/**
 * Reads what analyse wrote. Runs made before experiments declared questions have headlines instead, of which nothing is told.
 * @param {string} path a run folder, or a single results.json, a published one for example
 */
export function readResults(path) {
  const file = path.endsWith('.json') ? path : join(path, 'results.json');
  if (!existsSync(path)) throw new DamagedRun(`${path}: there is no such run`);
  if (!path.endsWith('.json') && !statSync(path).isDirectory())
    throw new DamagedRun(`${path}: is a file; name the run's folder, or its results.json`);
  if (!existsSync(file) && existsSync(`${path}.json`))
    throw new DamagedRun(`${path}: is the post of a published run; name ${path}.json`);
  if (!existsSync(file))
    throw new DamagedRun(
      `${file} is missing: ./run-all-tests.sh --resume ${path} finishes the run, --from analyse makes it from what was measured`,
    );
  const results = readJson(file);
  if (results.schema !== 'results/1')
    throw new DamagedRun(`${file}: is not of schema results/1: ./run-all-tests.sh --from analyse makes it again`);
  const absent = ['run', 'cells', 'comparisons', results.headlines ? 'headlines' : 'questions'].find(
    (key) => !results[key],
  );
  if (absent) throw new DamagedRun(`${file}: has no ${absent}: ./run-all-tests.sh --from analyse makes it again`);
  return results;
}

export const readIfThere = (path) => (existsSync(path) ? readJson(path) : null);

/**
 * Opens a run: plan.json (and plan-open.json, the phase that depends on measured peaks), experiment.json, environment.json, provenance.json.
 * @returns {{folder, id, plan, experiment, environment, provenance, questions, unsustained, peaks, cells}} questions: the plan's, with the ids of the cells that were measured; peaks: of open-peaks.js, null in runs of before; cells: the plan's cells, each
 *   with `folder` and the `settings` that its variant gives the target, calibration first, then cell by cell with its blocks together, so that the histograms of only one cell are in memory
 * @throws {DamagedRun} when there is no usable plan or experiment
 */
export function openRun(path) {
  const folder = resolve(path);
  if (!existsSync(folder)) throw new DamagedRun(`${path}: there is no such run folder`);
  const plan = readJson(join(folder, 'plan.json'));
  const open = readIfThere(join(folder, 'plan-open.json'));
  const groups = [...(plan.groups ?? []), ...(open?.groups ?? [])];
  const cells = groups.flatMap((group) =>
    group.cells.map((cell) => ({
      ...withCurrentName(cell),
      settings: group.variant?.env ?? {},
      folder: join(folder, 'cells', trialId(cell)),
    })),
  );
  if (cells.length === 0) throw new DamagedRun(`${join(folder, 'plan.json')}: has no cells`);
  cells.sort(
    (a, b) =>
      Number(isCalibration(b)) - Number(isCalibration(a)) ||
      (a.id < b.id ? -1 : Number(a.id > b.id)) ||
      a.block - b.block,
  );
  const twice = cells.find((cell, i) => i > 0 && cell.folder === cells[i - 1].folder);
  if (twice) throw new DamagedRun(`${folder}: ${trialId(twice)} is planned twice, and would count twice`);
  return {
    folder,
    id: basename(folder),
    plan,
    cells,
    questions: (plan.questions ?? []).map((question) => ({
      ...question,
      sides: measuredSides(question, open?.became),
    })),
    unsustained: open ? unsustained(plan.open ?? [], cells) : [],
    peaks: open ? (open.peaks?.map((peak) => ({ ...peak, workload: withCurrentName(peak).workload })) ?? null) : [],
    experiment: readJson(join(folder, 'experiment.json')),
    environment: readIfThere(join(folder, 'environment.json')),
    provenance: readIfThere(join(folder, 'provenance.json')),
  };
}

/** A question's sides, where a share of a low peak became another. @param {object} [became] see plan-open.jq */
const measuredSides = ({ sides }, became = {}) =>
  sides.map((side) => ({ ...side, cells: side.cells.map((id) => became[id] ?? id) }));

/** What was to be measured at shares of its own peak, and has none: at no rate were all requests sent and answered in time. */
function unsustained(asked, cells) {
  const measured = new Set(cells.filter(({ share }) => share).map(placeKey));
  const places = new Map(asked.map(({ cell }) => [placeKey(withCurrentName(cell)), placeOf(withCurrentName(cell))]));
  return [...places].filter(([place]) => !measured.has(place)).map(([, place]) => place);
}

/**
 * A summary as it is written today. In summary/1 the open model's latency_us was from the send, and the database was held against
 * the requests of the window.
 */
function inTodaysShape(summary) {
  if (summary?.schema !== 'summary/1') return summary;
  const { latency_from_schedule_us: scheduled, latency_us: sent, ...rest } = summary;
  const latencies = scheduled ? { latency_us: scheduled, latency_from_send_us: sent } : { latency_us: sent };
  return { ...rest, ...latencies, requests_total: rest.requests, successes_total: rest.successes };
}

const NEEDED = ['cell', 'window', 'errors', 'requests', 'successes'];

const noSummary = (text) => ({ check: 'summary', text });

/** What is wrong with a summary, or null. Of an incomplete one: that the tool left nothing usable. */
function fault(summary) {
  const text = faultText(summary);
  if (text === null) return null;
  return summary.complete === false ? { check: 'complete', text: 'the tool left no usable raw file' } : noSummary(text);
}

function faultText(summary) {
  const absent = NEEDED.find((key) => summary[key] === undefined || summary[key] === null);
  if (absent) return `summary.json has no ${absent}`;
  if (!(summary.window.seconds > 0)) return 'summary.json has an empty window';
  return summary.errors.by_class ? null : 'summary.json has no errors.by_class';
}

/**
 * Reads what one planned cell left.
 * @returns {{status, summary, problem: {check, text}|null}|null} null when it was not run; problem: why there is no usable summary
 */
export function readTrial(cell) {
  const files = { status: null, summary: null, problem: null };
  try {
    files.summary = inTodaysShape(readIfThere(join(cell.folder, 'summary.json')));
    files.status = files.summary?.status ?? readIfThere(join(cell.folder, 'status.json'));
  } catch (error) {
    if (!(error instanceof DamagedRun)) throw error;
    return { ...files, summary: null, problem: noSummary(error.message.slice(cell.folder.length + 1)) };
  }
  if (files.summary === null && files.status === null) return null;
  files.problem =
    files.summary === null ? noSummary('summary.json is missing: run collect again') : fault(files.summary);
  return files.problem === null ? files : { ...files, summary: null };
}

/**
 * As readTrial; but what is of another plan, or of another trial, says nothing of this one, whoever put it there.
 * @param {object} plan a planned cell @param {object|null} provenance provenance.json
 */
export function readOwnTrial(plan, provenance) {
  const files = readTrial(plan);
  const { run, plan_hash, cell } = files?.summary ?? {};
  const isForeign = (key, value) => value && provenance?.[key] && value !== provenance[key];
  const foreign = isForeign('plan_hash', plan_hash) ? 'plan, that of' : isForeign('run', run) ? 'run,' : null;
  const other = cell && !plan.folder.endsWith(`/${trialId(cell)}`); // of an earlier run its workload may be called otherwise now
  if (!foreign && !other) return files;
  const text = foreign
    ? `summary.json is of another ${foreign} ${run}`
    : `summary.json is of another trial, ${trialId(cell)}`;
  return { ...files, summary: null, problem: { check: 'summary', text } };
}
