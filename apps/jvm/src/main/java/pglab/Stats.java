package pglab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a target says of itself at /stats: {"target","uptime_s","interval_s" since the last reading, "rss_bytes",
 * "heap_used_bytes","cpu_user_s","cpu_system_s" since the start, "pool":{"total","idle","waiting"}}. The keys of an
 * event loop are there and null, for there is none; so is what only Linux tells, elsewhere.
 */
final class Stats implements Supplier<String> {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path STAT = Path.of("/proc/self/stat");
  private static final double TICKS_PER_S = 100; // Linux's USER_HZ

  private final String name;
  private final Supplier<Database.PoolStats> pool;
  private long readAt = System.nanoTime();

  Stats(String name, Supplier<Database.PoolStats> pool) {
    this.name = name;
    this.pool = pool;
  }

  @Override
  public synchronized String get() {
    long now = System.nanoTime();
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("target", name);
    stats.put("uptime_s", ManagementFactory.getRuntimeMXBean().getUptime() / 1e3);
    stats.put("interval_s", (now - readAt) / 1e9);
    stats.put("event_loop_utilization", null);
    stats.put("event_loop_delay_mean_us", null);
    stats.put("event_loop_delay_p99_us", null);
    stats.put("event_loop_delay_max_us", null);
    stats.put("rss_bytes", rssBytes());
    stats.put("heap_used_bytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    stats.put("cpu_user_s", cpuSeconds(11));
    stats.put("cpu_system_s", cpuSeconds(12));
    stats.put("pool", describe(pool.get()));
    readAt = now;
    return Json.write(stats);
  }

  private static Map<String, Object> describe(Database.PoolStats pool) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("total", pool.total());
    counts.put("idle", pool.idle());
    counts.put("waiting", pool.waiting());
    return counts;
  }

  private static Long rssBytes() {
    String status = read(STATUS);
    if (status == null) return null;
    String line = status.substring(status.indexOf("VmRSS:") + 6).lines().findFirst().orElseThrow();
    return Long.parseLong(line.replace("kB", "").trim()) * 1024;
  }

  /** Field `index` of /proc/self/stat after the command's name, see proc(5): 11 user, 12 system. */
  private static Double cpuSeconds(int index) {
    String stat = read(STAT);
    if (stat == null) return null;
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[index]) / TICKS_PER_S;
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : null;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
