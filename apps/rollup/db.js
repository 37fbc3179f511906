import { rollup } from '../lib/queries.js';
import { connect as connectPooled, environment } from '../pooled/db.js';

export { environment };

/** As pooled, but /analytics reads the materialised view that prepare.sql makes. */
export async function connect(config) {
  const db = await connectPooled(config, { analytics: rollup });
  await db.analytics().catch((error) => {
    throw new Error(`${error.message}; psql -f apps/rollup/prepare.sql makes it`, { cause: error });
  });
  return db;
}
