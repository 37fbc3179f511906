/** What the checks found in a trial, and what else was seen, on its axis of time. */
import { inks, panelTitle } from '../style.js';
import { at } from './axis.js';

const MARK = 22; // height of a row
const MARKS = {
  light: { suspect: '#ecd9a8', invalid: '#f3c1bc', seen: '#d5d9e0' },
  dark: { suspect: '#6b5210', invalid: '#7a2a24', seen: '#4b525e' },
};

/** What a trial may have at some seconds: [from, to] of each. The first three are what checks find, and have their names. */
const SPANS = {
  paused: ({ pauses = [] }) => pauses,
  frozen: (seconds) => spansOf(seconds, seconds.stalled),
  errors: (seconds) => spansOf(seconds, seconds.errors),
  autovacuum: (seconds) => spansOf(seconds, seconds.autovacuum),
};

/** What those of a check are called where it found no fault in them. */
const SEEN = { paused: 'no answer', frozen: 'few answers' };

const spansOf = ({ step_s }, steps = []) => steps.map((i) => [i * step_s, (i + 1) * step_s]);

/** Rows of marks: what the checks found, then what else was seen. @returns {{name: string, is: string, spans: [number, number][]}[]} */
export function marksOf({ reasons, maintenance }, seconds, end) {
  const all = [[0, end]];
  const judged = reasons.map(({ check, verdict }) => {
    const spans = SPANS[check]?.(seconds) ?? [];
    const isSometime = SPANS[check] && spans.length === 0;
    return { name: isSometime ? `${check}, at some time` : check, is: verdict, spans: spans.length > 0 ? spans : all };
  });
  const names = new Set(reasons.map(({ check }) => check));
  const seen = Object.keys(SPANS).map((name) => ({
    name: SEEN[name] ?? name,
    spans: names.has(name) ? [] : SPANS[name](seconds),
  }));
  const sometime = (maintenance ?? [])
    .filter((name) => !(SPANS[name]?.(seconds).length > 0))
    .map((name) => ({ name: `${name}, at some time`, spans: all }));
  const clipped = ([from, to]) => [Math.max(0, from), Math.min(end, to)];
  return [...judged, ...[...seen, ...sometime].map((row) => ({ ...row, is: 'seen' }))]
    .filter(({ spans }) => spans.length > 0)
    .map((row) => ({ ...row, spans: row.spans.map(clipped) }));
}

export function marksPanel(rows, frame) {
  if (rows.length === 0) return null;
  const { look, width } = frame;
  const height = rows.length * MARK;
  const extent = (i) => ({ top: i * MARK + 2, middle: (i + 0.5) * MARK, bottom: (i + 1) * MARK - 2 });
  const y = (field) => ({ field, type: 'quantitative', scale: null, axis: null });
  const bars = rows.flatMap(({ name, is, spans }, i) =>
    spans.map(([from, to]) => ({ name, is, from, to, ...extent(i), fill: MARKS[look.theme][is] })),
  );
  const tooltip = [
    { field: 'name' },
    { field: 'is' },
    { field: 'from', title: 'from, s' },
    { field: 'to', title: 'to, s' },
  ];
  return {
    width,
    height,
    title: panelTitle('Marks', 'what the checks found, and what else was seen', width),
    layer: [
      {
        data: { values: bars },
        mark: { type: 'rect', stroke: inks(look).line, strokeWidth: 0.5 },
        encoding: {
          ...{ x: at('from', frame), x2: { field: 'to' }, y: y('top'), y2: { field: 'bottom' }, tooltip },
          color: { field: 'fill', type: 'nominal', scale: null },
        },
      },
      {
        data: {
          values: rows.map(({ name, is }, i) => ({ text: is === 'seen' ? name : `${name} (${is})`, ...extent(i) })),
        },
        mark: { type: 'text', align: 'left', dx: 6, fontSize: 12 },
        encoding: { x: { value: 0 }, y: y('middle'), text: { field: 'text' } },
      },
    ],
  };
}
