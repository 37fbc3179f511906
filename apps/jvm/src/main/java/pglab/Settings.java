package pglab;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * The environment variables of a target, validated. poolSize: database connections; shared: one connection for all
 * requests instead (SHARED=1), whatever poolSize says. applicationName: the target's own unless PGAPPNAME is set; options: libpq's,
 * empty when unset; connectTimeoutS: the time for one attempt to connect.
 */
record Settings(
    String name,
    String host,
    int port,
    String pgHost,
    int pgPort,
    String pgUser,
    String pgPassword,
    String pgDatabase,
    int poolSize,
    boolean shared,
    String applicationName,
    String options,
    int connectTimeoutS,
    Tls tls) {
  private static final int CONNECT_TIMEOUT_S = 60; // load tools give a whole request that long

  /** What may be set: a target's own, the listener's and libpq's, and the machine's. */
  private static final Pattern KNOWN = Pattern.compile(
      "POOL_SIZE|SHARED|HOST|PORT|(JAVA_TOOL|JDK_JAVA)_OPTIONS"
          + "|PG(HOST|PORT|USER|PASSWORD|DATABASE|APPNAME|OPTIONS|CONNECT_TIMEOUT|CHANNELBINDING|SSLMODE|SSLROOTCERT|SSLCERT|SSLKEY)");

  /**
   * Reads the settings of target `name` from env. Throws a Fault (64) that names the first variable at fault, also one that
   * target.json or the variant sets (SETTINGS) and no target reads: it would be measured as if it were set.
   */
  static Settings read(String name, Map<String, String> env) {
    for (String set : env.getOrDefault("SETTINGS", "").split(" ")) {
      if (!set.isEmpty() && !KNOWN.matcher(set).matches()) {
        throw new Fault(64, "target.json or the variant sets " + set + ", which this target does not read; it reads POOL_SIZE, SHARED");
      }
    }
    return new Settings(
        name,
        text(env, "HOST", "127.0.0.1"),
        integer(env, "PORT", 1, 65535, 3000),
        text(env, "PGHOST", null),
        integer(env, "PGPORT", 1, 65535, 5432),
        text(env, "PGUSER", null),
        text(env, "PGPASSWORD", ""),
        text(env, "PGDATABASE", null),
        integer(env, "POOL_SIZE", 1, 1000, 10),
        integer(env, "SHARED", 0, 1, 0) == 1,
        text(env, "PGAPPNAME", name),
        text(env, "PGOPTIONS", ""),
        connectTimeout(env),
        Tls.read(env));
  }

  private static int connectTimeout(Map<String, String> env) {
    int given = integer(env, "PGCONNECT_TIMEOUT", 0, 86_400, 0);
    return given == 0 ? CONNECT_TIMEOUT_S : given;
  }

  /** Database connections that the target opens at start and keeps. */
  int connections() {
    return shared ? 1 : poolSize;
  }

  private static String text(Map<String, String> env, String name, String fallback) {
    String given = env.getOrDefault(name, "");
    if (!given.isEmpty()) return given;
    if (fallback == null) throw new Fault(64, name + " is not set: it is needed, see apps/jvm/README.md");
    return fallback;
  }

  private static int integer(Map<String, String> env, String name, int min, int max, int fallback) {
    String given = env.getOrDefault(name, "");
    if (given.isEmpty()) return fallback;
    if (given.matches("0*[0-9]{1,9}") && Integer.parseInt(given) >= min && Integer.parseInt(given) <= max) {
      return Integer.parseInt(given);
    }
    String rule = ": must be a whole number from " + min + " to " + max;
    throw new Fault(64, name + " is " + Json.write(given) + rule);
  }
}
