// Gives the collections to any server of the documents API: node scripts/datasets/documents-http.js URL [SCALE]
// A collection that has documents already is left alone. Exit 64 for bad arguments, 2 when the server refuses.
import { collections, documents } from './documents.js';

const BATCH = 1000;
const [url, scale = '1'] = process.argv.slice(2);

async function ask(method, path, body) {
  const answer = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    body,
    headers: body && { 'content-type': 'application/json' },
  });
  const text = await answer.text();
  return { status: answer.status, text, ok: answer.ok };
}

async function must(method, path, body) {
  const { ok, status, text } = await ask(method, path, body);
  if (!ok) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`);
  return text;
}

async function isEmpty(name) {
  const { status, text } = await ask('GET', `/collections/${name}/find?limit=1`);
  return status === 404 || JSON.parse(text).documents?.length === 0;
}

async function fill(collection) {
  const { name, size, index } = collection;
  if (!(await isEmpty(name))) {
    console.error(`${name}: has documents already, left alone`);
    return;
  }
  let batch = [];
  const send = () => must('POST', `/collections/${name}/batch`, `{"documents":[${batch.join(',')}]}`);
  for (const json of documents(collection)) {
    batch.push(json);
    if (batch.length === BATCH) {
      await send();
      batch = [];
    }
  }
  if (batch.length > 0) await send();
  if (index) await must('POST', `/collections/${name}/indexes/${index}`);
  console.error(`${name}: ${size} documents`);
}

if (!URL.canParse(url ?? '') || !(Number(scale) > 0)) {
  console.error('usage: node scripts/datasets/documents-http.js URL [SCALE]');
  process.exit(64);
}
try {
  for (const collection of collections(Number(scale))) await fill(collection);
} catch (error) {
  console.error(`error: ${error.message}${error.cause ? `: ${error.cause.message}` : ''}`);
  process.exitCode = 2;
}
