/**
 * The capacity of a responder of places.js in theory: node tests/capacity/theory.js PLACES SERVICE_MS fixed|exponential LIMIT_MS [THINK_MS] prints requests
 * per second, p95 below the limit; with THINK_MS users, of one place and exponential services.
 */
import { beyondDDc, beyondDM1, capacityOf, usersWithin } from '../node/lib/queues.js';

const [places, service_ms, kind, limit_ms, think_ms] = process.argv.slice(2);
const asked = { places: Number(places), limit: Number(limit_ms) / Number(service_ms), allowed: 0.05 };
const rate = () =>
  ((1000 / Number(service_ms)) * capacityOf(kind === 'fixed' ? beyondDDc : beyondDM1, asked)).toFixed(1);
console.log(think_ms ? usersWithin({ ...asked, think: Number(think_ms) / Number(service_ms) }) : rate());
