// The documents API, which with LIE=half stores half of each batch and answers as if it had stored all: node tests/liars/half/server.js
import * as documents from '../../../apps/documents/db.js';
import { listener, readEnvironment, text } from '../../../apps/lib/environment.js';
import { run } from '../../../apps/lib/fault.js';
import { closeOnSignal, listen } from '../../../apps/lib/lifecycle.js';
import { watchProcess } from '../../../apps/lib/process-stats.js';
import { buildServer } from '../../../apps/lib/server.js';

const UNUSED = 2n ** 62n; // ids that the database will not come to

function lying(db) {
  let made = 0n;
  const invented = () => `{"_id":"${UNUSED + made++}"}`;
  return {
    ...db,
    async insertBatch(collection, json) {
      const { documents: all } = JSON.parse(json);
      const half = JSON.stringify({ documents: all.slice(0, Math.ceil(all.length / 2)) });
      const stored = await db.insertBatch(collection, half);
      return stored.concat(Array.from({ length: all.length - stored.length }, invented));
    },
    async mergeBatch(collection, ids, json) {
      const { operations } = JSON.parse(json);
      const kept = operations.filter(({ id }) => BigInt(id) < UNUSED);
      const keptIds = kept.map(({ id }) => id);
      const merged = await db.mergeBatch(collection, keptIds, JSON.stringify({ operations: kept }));
      return merged.concat(ids.slice(kept.length).map((id) => `{"_id":"${id}"}`));
    },
  };
}

run(async () => {
  const settings = readEnvironment({ ...listener, ...documents.environment, LIE: text('none') });
  const honest = await documents.connect({ ...settings, name: 'half' });
  const db = settings.LIE === 'half' ? lying(honest) : honest;
  const app = buildServer({ name: 'half', db, readProcess: watchProcess(), routes: documents.routes });
  closeOnSignal(() => app.close());
  await listen((options) => app.listen(options), settings);
});
