package pglab;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Starts a target: java -jar apps/jvm/target/pglab-jvm.jar TARGET. Environment variables set it, see Settings. */
final class Main {
  // The stack waits 10 s before it kills.
  private static final long CLOSE_LIMIT_MS = 8_000;

  static final Map<String, Function<Settings, Database>> TARGETS =
      Map.of(
          "jdbc", settings -> settings.shared() ? new JdbcShared(settings) : new JdbcPool(settings),
          "adba", AdbaPool::new,
          "vertx", VertxPool::new);

  private Main() {}

  public static void main(String[] arguments) {
    try {
      start(arguments);
    } catch (Fault fault) {
      System.err.println("error: " + fault.getMessage());
      System.exit(fault.exitCode);
    }
  }

  private static void start(String[] arguments) {
    if (arguments.length != 1 || !TARGETS.containsKey(arguments[0])) {
      String names = TARGETS.keySet().stream().sorted().collect(Collectors.joining(", "));
      throw new Fault(64, "usage: java -jar apps/jvm/target/pglab-jvm.jar TARGET, one of: " + names);
    }
    Honoured.require(arguments[0], System.getenv());
    Settings settings = Settings.read(arguments[0], System.getenv());
    Database database = connect(settings);
    Routes routes = new Routes(database, new Stats(settings.name(), database::pool));
    Server server = new Server(settings.host(), settings.port(), routes);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server, database)));
  }

  private static Database connect(Settings settings) {
    try {
      return TARGETS.get(settings.name()).apply(settings);
    } catch (DatabaseFault fault) {
      String where = " (see PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE, POOL_SIZE)";
      throw new Fault(2, settings.name() + " cannot start: " + fault.getMessage() + where);
    }
  }

  /** At SIGTERM or SIGINT: exit 0 when all is closed, 1 when that fails or takes too long. */
  private static void close(Server server, Database database) {
    int exitCode = 0;
    try {
      if (!server.close(CLOSE_LIMIT_MS)) {
        System.err.println("error: not closed after " + CLOSE_LIMIT_MS / 1000 + " s: work was still in flight");
        exitCode = 1;
      }
      database.close();
    } catch (InterruptedException | RuntimeException error) {
      System.err.println("error: closing failed: " + error.getMessage());
      exitCode = 1;
    }
    Runtime.getRuntime().halt(exitCode);
  }
}
