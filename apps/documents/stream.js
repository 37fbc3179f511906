import { Readable } from 'node:stream';

// How much to fetch at a time, in characters of JSON: with what Node and the kernel buffer, all that a stream holds. How many
// rows that is, the rows before tell; the first are few, for they may be large.
const PIECE = 64 * 1024;
const FIRST_ROWS = 16;
const MOST_ROWS = 1000;

/**
 * A JSON array as a byte stream, from a pg-cursor whose first rows are here: more are fetched when the reader wants more.
 * release(error?) is called once: at the end, or before it when the reader goes away, takes nothing for `stallMs`, or the
 * database fails.
 */
class CursorStream extends Readable {
  constructor(cursor, rows, { write, release, stallMs }) {
    super({ highWaterMark: 1 });
    Object.assign(this, { cursor, rows, write, release, stallMs, rowsToRead: FIRST_ROWS, separator: '[' });
    this.expectReader();
  }

  async _read() {
    clearTimeout(this.stalled);
    try {
      const rows = this.rows ?? (await this.cursor.read(this.rowsToRead));
      this.rows = undefined;
      this.expectReader();
      this.pushRows(rows);
    } catch (error) {
      this.destroy(error);
    }
  }

  pushRows(rows) {
    const isLast = rows.length < this.rowsToRead;
    const piece = rows.map(this.write).join(',');
    if (rows.length > 0) this.rowsToRead = Math.min(MOST_ROWS, Math.ceil((PIECE * rows.length) / piece.length));
    const separator = rows.length > 0 || this.separator === '[' ? this.separator : '';
    this.separator = ',';
    this.push(`${separator}${piece}${isLast ? ']' : ''}`);
    if (isLast) this.push(null);
  }

  expectReader() {
    this.stalled = setTimeout(() => this.destroy(new Error('the reader takes nothing')), this.stallMs);
  }

  _destroy(error, callback) {
    clearTimeout(this.stalled);
    const finished = (fault) => {
      this.release(fault);
      callback(error);
    };
    if (error) finished(error);
    else this.cursor.close().then(() => finished(), finished);
  }
}

/**
 * Streams what `cursor` finds on `client` (of a pool); write(row) gives a document's JSON. Resolves when the first rows are
 * here, so that an error of the statement is still the request's. A reader that takes nothing for stallMs is cut off.
 */
export async function openStream(client, cursor, { write, stallMs }) {
  let stream;
  const lost = (error) => stream?.destroy(error);
  const release = (error) => {
    client.off('error', lost);
    client.release(error);
  };
  client.on('error', lost); // the connection may break between two reads
  client.query(cursor);
  try {
    const rows = await cursor.read(FIRST_ROWS);
    stream = new CursorStream(cursor, rows, { write, release, stallMs });
    return stream;
  } catch (error) {
    const connectionLives = error.severity !== undefined;
    release(!connectionLives);
    throw error;
  }
}
