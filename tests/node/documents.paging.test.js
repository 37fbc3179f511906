import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtersIn, isId, pageOf, startOf } from '../../apps/documents/paging.js';

const rows = (...ids) => ids.map((id) => [String(id), '{}']);
const ids = ({ page }) => page.map(([id]) => Number(id));

test('an id is a whole number from 1, as text', () => {
  for (const id of ['1', '42', '999999999999999999']) assert.ok(isId(id), id);
  for (const id of ['', '0', '-1', '01', '1.0', '1e3', ' 1', '9999999999999999999', 'x', '1;'])
    assert.ok(!isId(id), id);
});

test('filters: what looks like a JSON number is one, all else is text', () => {
  const { fields, values } = filtersIn({
    age: '30',
    zip: '007',
    score: '-1.5e3',
    city: 'São "P"',
    up: '+1',
    no: '',
    limit: 5,
    after: 'x',
  });
  assert.deepEqual(fields, ['age', 'zip', 'score', 'city', 'up', 'no']);
  assert.deepEqual(values, ['30', '"007"', '-1.5e3', '"São \\"P\\""', '"+1"', '""']);
});

test('_id is no filter', () => {
  assert.throws(() => filtersIn({ _id: '1' }), { statusCode: 400, code: 'BAD_FILTER' });
});

test('a page in the middle has both cursors, and they lead where they say', () => {
  const middle = pageOf(rows(4, 5, 6), 2, 'after');
  assert.deepEqual(ids(middle), [4, 5]);
  assert.deepEqual(startOf({ after: middle.about.next_cursor }), { from: 'after', at: '5' });
  assert.deepEqual(startOf({ before: middle.about.prev_cursor }), { from: 'before', at: '4' });
});

test('backwards, rows come in descending order and are turned', () => {
  const page = pageOf(rows(9, 8, 7), 2, 'before');
  assert.deepEqual(ids(page), [8, 9]);
  assert.deepEqual([page.about.has_prev, page.about.has_next], [true, true]);
  assert.equal(pageOf(rows(2, 1), 2, 'before').about.has_prev, false);
});

test('the whole in one page has a total and no cursor', () => {
  assert.deepEqual(pageOf(rows(1, 2), 2).about, { has_next: false, has_prev: false, total: 2 });
  assert.deepEqual(pageOf([], 2).about, { has_next: false, has_prev: false, total: 0 });
});

test('a page beyond the end has no cursor to give', () => {
  assert.deepEqual(pageOf([], 2, 'offset').about, { has_next: false, has_prev: true });
});

test('at most one way to start, and offset 0 is the beginning', () => {
  assert.deepEqual(startOf({}), {});
  assert.deepEqual(startOf({ offset: 0 }), {});
  assert.deepEqual(startOf({ offset: 7 }), { from: 'offset', at: 7 });
  assert.throws(() => startOf({ offset: 0, after: 'aWQ6MQ' }), { statusCode: 400 });
  assert.throws(() => startOf({ before: 'aWQ6MQ', after: 'aWQ6MQ' }), { statusCode: 400 });
});

const encoded = (text) => Buffer.from(text).toString('base64url');
for (const cursor of [
  '',
  'x',
  '1',
  'aWQ6MQ==',
  ' aWQ6MQ',
  'aWQ6MR',
  encoded('id:0'),
  encoded('id:1 or 1=1'),
  encoded("id:1'--"),
  encoded('1'),
]) {
  test(`cursor ${JSON.stringify(cursor)} is refused`, () => {
    assert.throws(() => startOf({ after: cursor }), { statusCode: 400, code: 'BAD_CURSOR' });
    assert.throws(() => startOf({ before: cursor }), { statusCode: 400, code: 'BAD_CURSOR' });
  });
}
