// The documents of the suite: people, about 190 bytes of JSON each. The dataset is made of them as well as what load inserts.
import { between, pick } from './random.js';

const GIVEN = [
  'Ada',
  'Alan',
  'Barbara',
  'Claude',
  'Donald',
  'Edsger',
  'Frances',
  'Grace',
  'Hedy',
  'John',
  'Katherine',
  'Radia',
];
const FAMILY = [
  'Allen',
  'Dijkstra',
  'Hamilton',
  'Hopper',
  'Johnson',
  'Knuth',
  'Lamarr',
  'Liskov',
  'Lovelace',
  'Perlman',
  'Turing',
];
const CITIES = [
  'Amsterdam',
  'Bogotá',
  'Cairo',
  'Dakar',
  'Hanoi',
  'Kraków',
  'Lima',
  'Mumbai',
  'Osaka',
  'Perth',
  'Quito',
  'Zürich',
];
const STATUSES = ['active', 'active', 'active', 'idle', 'closed'];
const TAGS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];

/** Ages run from YOUNGEST to OLDEST. */
export const YOUNGEST = 18;
export const OLDEST = 97;

// Of each age there are a ninth fewer than of the one before: among 100,000 people some 11,700 are 18, 960 are 38, 80 are 58
// and a handful is 90, so that a filter on age finds any number of documents.
const FALL = 8;

/** -> an age as documents have it. */
export function age(random) {
  return Math.min(OLDEST, YOUNGEST + Math.floor(-Math.log(1 - random()) * FALL));
}

/** -> a document. */
export function person(random) {
  const given = pick(random, GIVEN);
  const family = pick(random, FAMILY);
  const number = between(random, 1, 999_999);
  return {
    name: `${given} ${family}`,
    email: `${given}.${family}.${number}@example.com`.toLowerCase(),
    age: age(random),
    city: pick(random, CITIES),
    status: pick(random, STATUSES),
    score: between(random, 0, 9999) / 100,
    tags: [pick(random, TAGS), pick(random, TAGS)],
    subscribed: random() < 0.5,
    joined: `${between(random, 2000, 2025)}-${String(between(random, 1, 12)).padStart(2, '0')}-${String(between(random, 1, 28)).padStart(2, '0')}`,
  };
}
