// Prints {target: why} for those of the targets on stdin, an array of what target.json says, whose driver cannot honour libpq's variables
// as they are set.
import { readFileSync } from 'node:fs';
import { driverOf, notHonoured } from '../../../apps/lib/drivers.js';

const reasons = JSON.parse(readFileSync(0, 'utf8')).flatMap((target) => {
  const driver = driverOf(target);
  const refused = driver && notHonoured(driver, process.env);
  return refused ? [[target.name, `its driver, ${driver}, cannot honour ${refused} of the DSN`]] : [];
});
console.log(JSON.stringify(Object.fromEntries(reasons)));
