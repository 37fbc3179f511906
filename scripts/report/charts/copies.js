/** The picture of an A/A answer: the interval of each copy over its original, a panel for each metric. */
import { METRICS } from './metrics.js';
import { ratioAxis } from './ratios.js';
import { ROW_Y } from './rows.js';
import { BESIDE, dashed, framed, inks, PAPER_WIDTH, panelTitle, SPACING } from './style.js';

const COPIES_HEIGHT = 180;

/** The names of the intervals that exclude 1, on the side that has room: beyond the end that is nearer to it. */
const named = (values, end, { x, alarm }) => ({
  data: { values: values.filter(({ differs, ratio }) => differs && (end === 'high') === ratio < 1) },
  mark: {
    ...{ type: 'text', fontSize: 11, color: alarm, baseline: 'middle' },
    ...(end === 'high' ? { align: 'left', dx: 5 } : { align: 'right', dx: -5 }),
  },
  encoding: { x: x(end), y: ROW_Y, text: { field: 'name' } },
});

export function copiesChart({ panels }, { look, title }) {
  const { ink, alarm } = inks(look);
  const whole = look.width ?? PAPER_WIDTH;
  const columns = whole >= BESIDE ? Math.min(2, panels.length) : 1;
  const width = Math.floor((whole - SPACING * (columns - 1)) / columns) - 20;
  const parts = panels.map(({ metric, intervals }) => {
    const gap = COPIES_HEIGHT / intervals.length;
    const values = intervals.map((interval, i) => ({ ...interval, place: (i + 0.5) * gap }));
    const x = ratioAxis(
      intervals.flatMap(({ low, high }) => [low, high]),
      width,
    );
    const color = { condition: { test: 'datum.differs', value: alarm }, value: ink };
    const include = intervals.filter(({ differs }) => !differs).length;
    return {
      width,
      height: COPIES_HEIGHT,
      title: panelTitle(
        METRICS[metric].heading,
        `copy / original (log scale); ${include} of ${intervals.length} include 1`,
        width,
      ),
      layer: [
        dashed([{ one: 1 }], { x: x('one') }, look),
        {
          data: { values },
          mark: { type: 'rule', strokeWidth: Math.min(2, gap / 2) },
          encoding: { x: x('low'), x2: { field: 'high' }, y: ROW_Y, color },
        },
        {
          data: { values },
          mark: { type: 'point', filled: true, size: 14, opacity: 1 },
          encoding: { x: x('ratio'), y: ROW_Y, color },
        },
        ...['low', 'high'].map((end) => named(values, end, { x, alarm })),
      ],
    };
  });
  return { ...framed(parts, { look, arrange: 'concat', title }), columns };
}
