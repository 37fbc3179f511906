// k6/test-16182-2.js: what shop.har asked of http://127.0.0.1:26168, as one user asks it.
// Edit it: values that should differ from user to user, and checks that say more of an answer.
// Pauses between requests are left out.
// It takes from the environment, so that no file holds them: AUTHORIZATION.
import { check } from 'k6';
import http from 'k6/http';

for (const name of ['AUTHORIZATION']) if (!__ENV[name]) throw new Error(`${name} is not set`);

export default function () {
  let answer = http.request('GET', `${__ENV.BASE_URL}/customers/42`, null, {
    headers: {
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en-US,en;q=0.9',
      authorization: __ENV.AUTHORIZATION,
    },
  });
  check(answer, {
    'GET /customers/42 is 200': ({ status }) => status === 200,
    'GET /customers/42 has key, name, balance, orders': (it) => hasKeys(it, ['key', 'name', 'balance', 'orders']),
  });

  answer = http.request('GET', `${__ENV.BASE_URL}/orders/1`, null, {
    headers: {
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en-US,en;q=0.9',
      authorization: __ENV.AUTHORIZATION,
    },
  });
  check(answer, {
    'GET /orders/1 is 200': ({ status }) => status === 200,
    'GET /orders/1 has key, customer, status, price': (it) => hasKeys(it, ['key', 'customer', 'status', 'price']),
  });

  answer = http.request('GET', `${__ENV.BASE_URL}/orders?limit=5`, null, {
    headers: {
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en-US,en;q=0.9',
      authorization: __ENV.AUTHORIZATION,
    },
  });
  check(answer, {
    'GET /orders is 200': ({ status }) => status === 200,
    'GET /orders has key, customer, status, price': (it) => hasKeys(it, ['key', 'customer', 'status', 'price']),
  });
}

/** Whether an answer is JSON with these keys; of a list, its first element. */
function hasKeys(answer, keys) {
  try {
    const value = [answer.json()].flat()[0];
    return keys.every((key) => key in value);
  } catch {
    return false;
  }
}
