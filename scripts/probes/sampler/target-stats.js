import { Agent, get } from 'node:http';

const TIMEOUT_MS = 900; // below the second that lies between two readings
const LIMIT_BYTES = 1 << 16;

/**
 * The target's own account of itself, GET /stats, over one connection that is kept.
 * read() resolves to the JSON object, or to null: no address, no answer within 0.9 s, anything but 200 and an object.
 */
export class TargetStats {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url) {
    this.url = url;
  }

  async read() {
    if (!this.url) return null;
    try {
      const answer = JSON.parse(await this.#body());
      return typeof answer === 'object' && !Array.isArray(answer) ? answer : null;
    } catch {
      return null;
    }
  }

  close() {
    this.#agent.destroy();
  }

  #body() {
    return new Promise((resolve, reject) => {
      const request = get(this.url, { agent: this.#agent, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('error', reject);
        response.on('data', (part) => {
          text += part;
          if (text.length > LIMIT_BYTES) request.destroy(new Error('too long an answer'));
        });
        response.on('end', () =>
          response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}`)),
        );
      });
      request.on('error', reject);
    });
  }
}
