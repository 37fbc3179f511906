import { Client, connectionOptions } from '../lib/database.js';

/**
 * One place for a connection that is held and pipelined: a request is sent as soon as it comes, whatever is still
 * unanswered before it, and the server answers in that order. Each has a Sync of its own, so one that fails spoils no other.
 * When the connection breaks, all that it still owed an answer fails, and the next request opens another.
 */
export class Connection {
  #options;
  #name;
  #client; // undefined while there is none
  #opening; // the promise of the next one, while it is being opened
  #unanswered = 0;
  #holdsBack = false; // requests, until the end of this turn

  constructor(config) {
    this.#options = { ...connectionOptions(config), pipeline: true };
    this.#name = config.name;
  }

  /** Resolves to its client when it is open; throws what kept it from opening. Whoever asks meanwhile waits for the same attempt. */
  open() {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** As pg.Client's query, by a statement's object. */
  async query(statement) {
    this.#unanswered += 1;
    try {
      const client = this.#client ?? (await this.open());
      this.#sendTogether(client.connection.stream);
      return await client.query(statement);
    } finally {
      this.#unanswered -= 1;
    }
  }

  get isOpen() {
    return this.#client !== undefined;
  }

  /** Requests that have no answer yet. */
  get unanswered() {
    return this.#unanswered;
  }

  /** Closes it when all that was asked is answered. */
  async close() {
    await this.#client?.end();
  }

  /** What is asked in one turn of the event loop leaves in one piece, as postgres.js does too; pg would write each by itself. */
  #sendTogether(stream) {
    if (this.#holdsBack) return;
    this.#holdsBack = true;
    stream.cork();
    setImmediate(() => {
      this.#holdsBack = false;
      stream.uncork();
    });
  }

  async #connect() {
    const client = new Client(this.#options);
    client.on('error', (error) => {
      if (this.#client !== client) return; // it told before, by what the server said or by its end
      this.#client = undefined;
      console.error(`${this.#name}: a connection was lost: ${error.message}`);
    });
    await client.connect();
    this.#client = client;
    return client;
  }
}
