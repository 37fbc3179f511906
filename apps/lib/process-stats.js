import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

const RESOLUTION_MS = 10;

/**
 * Starts watching this process; returns a function that reads it. What describes the event loop covers the time since
 * the last reading: utilisation 0 to 1 (perf_hooks), and by how much timers came late (the histogram of a timer's
 * intervals, less the interval asked for). CPU seconds are totals since the start.
 */
export function watchProcess() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let last = performance.eventLoopUtilization();
  let readAt = performance.now();
  const late = (ns) => (delay.count === 0 ? null : Math.max(0, Math.round(ns / 1000 - RESOLUTION_MS * 1000)));
  return function read() {
    const now = performance.eventLoopUtilization();
    const at = performance.now();
    const cpu = process.cpuUsage();
    const memory = process.memoryUsage();
    const stats = {
      interval_s: (at - readAt) / 1000,
      event_loop_utilization: performance.eventLoopUtilization(now, last).utilization,
      event_loop_delay_mean_us: late(delay.mean),
      event_loop_delay_p99_us: late(delay.percentile(99)),
      event_loop_delay_max_us: late(delay.max),
      rss_bytes: memory.rss,
      heap_used_bytes: memory.heapUsed,
      cpu_user_s: cpu.user / 1e6,
      cpu_system_s: cpu.system / 1e6,
    };
    delay.reset();
    last = now;
    readAt = at;
    return stats;
  };
}
