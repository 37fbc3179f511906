// Visits addresses with a browser that saves what it asks as a HAR file: TOKEN=... node tests/foreign/record.js FILE.har URL...
import { launch } from '../lib/browser.js';

const [path, ...addresses] = process.argv.slice(2);
const browser = await launch();
const context = await browser.newContext({
  recordHar: { path },
  extraHTTPHeaders: { authorization: `Bearer ${process.env.TOKEN}` },
});
const page = await context.newPage();
// whose body is taken before the next address: a browser forgets it then, and a HAR file would be without
for (const address of addresses) await (await page.goto(address)).body();
await context.close(); // which writes it
await browser.close();
