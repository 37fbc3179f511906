package pglab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every driver against the server that PGHOST and its kin name; its database must have the TPC-H orders. */
@EnabledIfEnvironmentVariable(named = "PGHOST", matches = ".+", disabledReason = "PGHOST is not set: no server to ask")
@Timeout(60)
class DatabaseTest {
  private static final int CONNECTIONS = 3;

  /** A test for each target, in both its forms. */
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest(name = "{0}, shared {1}")
  @CsvSource({"jdbc, false", "jdbc, true", "adba, false", "adba, true", "vertx, false", "vertx, true"})
  @interface EachTarget {}

  private static Settings settings(String target, boolean shared, Map<String, String> changes) {
    Map<String, String> env = new HashMap<>(System.getenv());
    env.put("POOL_SIZE", String.valueOf(CONNECTIONS));
    env.put("SHARED", shared ? "1" : "0");
    env.putAll(changes);
    return Settings.read(target, env);
  }

  private static Database open(String target, boolean shared) {
    return Main.TARGETS.get(target).apply(settings(target, shared, Map.of()));
  }

  /** Runs sql on a connection of its own; returns its first column. */
  private static List<String> ask(String sql) throws SQLException {
    try (Connection connection = JdbcDatabase.source(settings("test", false, Map.of())).getConnection();
        ResultSet rows = connection.createStatement().executeQuery(sql)) {
      List<String> answer = new ArrayList<>();
      while (rows.next()) answer.add(rows.getString(1));
      return answer;
    }
  }

  private static String echo(Database database, String value) throws Exception {
    return database.echo(value).toCompletableFuture().get(5, TimeUnit.SECONDS);
  }

  @EachTarget
  void echoesEveryValue(String target, boolean shared) throws Exception {
    try (Database database = open(target, shared)) {
      String longest = "😀".repeat(100);
      for (String value : List.of("x", " ", "'; select 1 --", "\"\\\n\u0001", "é\u2028😀", "$1 ?", longest)) {
        for (int i = 0; i < 7; i++) assertEquals(value, echo(database, value)); // pgjdbc prepares at the fifth
      }
    }
  }

  @EachTarget
  void analyticsIsWhatSqlSays(String target, boolean shared) throws Exception {
    String object = "json_build_object('status', status, 'year', year, 'orders', orders, 'total', total)";
    String sql = "select " + object + "::text from (" + Queries.ANALYTICS + ") as answer";
    String expected = "[" + String.join(",", ask(sql)).replaceAll(" : ", ":").replaceAll(", \"", ",\"") + "]";
    assertTrue(expected.length() > 2, "the orders are empty");
    try (Database database = open(target, shared)) {
      for (int i = 0; i < 7; i++) {
        assertEquals(expected, Json.analytics(database.analytics().toCompletableFuture().get(20, TimeUnit.SECONDS)));
      }
    }
  }

  @EachTarget
  void opensItsConnectionsAtStartAndClosesThem(String target, boolean shared) throws Exception {
    String name = target + "-test-" + ProcessHandle.current().pid();
    String count = "select count(*)::text from pg_stat_activity where application_name = '" + name + "'";
    Settings settings = settings(name, shared, Map.of());
    Database database = Main.TARGETS.get(target).apply(settings);
    String expected = String.valueOf(settings.connections());
    assertEquals(List.of(expected), ask(count));
    manyAtOnce(database, 100);
    assertEquals(List.of(expected), ask(count));
    assertEquals(settings.connections(), database.pool().total());
    database.close();
    for (int i = 0; i < 50 && !ask(count).equals(List.of("0")); i++) Thread.sleep(100);
    assertEquals(List.of("0"), ask(count));
  }

  @EachTarget
  void givesEveryRequestItsOwnAnswer(String target, boolean shared) throws Exception {
    try (Database database = open(target, shared)) {
      manyAtOnce(database, 5000);
    }
  }

  private static void manyAtOnce(Database database, int count) throws Exception {
    CompletableFuture<?>[] threads =
        IntStream.range(0, 8)
            .mapToObj(thread -> CompletableFuture.runAsync(() -> askMany(database, thread, count / 8)))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(threads).get(40, TimeUnit.SECONDS);
  }

  private static void askMany(Database database, int thread, int count) {
    try {
      for (int i = 0; i < count; i++) assertEquals(thread + "-" + i, echo(database, thread + "-" + i));
    } catch (Exception error) {
      throw new CompletionException(error);
    }
  }

  @EachTarget
  void comesBackAfterItsConnectionsWereLost(String target, boolean shared) throws Exception {
    String name = target + "-test-" + ProcessHandle.current().pid();
    try (Database database = Main.TARGETS.get(target).apply(settings(name, shared, Map.of()))) {
      manyAtOnce(database, 100);
      ask("select pg_terminate_backend(pid)::text from pg_stat_activity where application_name = '" + name + "'");
      int failures = 0;
      while (failures <= 2 * CONNECTIONS && !answers(database)) failures++;
      assertTrue(failures <= 2 * CONNECTIONS, "still without a connection after " + failures + " questions");
      for (int i = 0; i < 2 * CONNECTIONS; i++) answers(database); // the rest of the lost ones are found out
      manyAtOnce(database, 100);
    }
  }

  /** False when the database is said to be unavailable; anything else that is wrong is thrown. */
  private static boolean answers(Database database) throws Exception {
    try {
      assertEquals("x", echo(database, "x"));
      return true;
    } catch (DatabaseFault fault) {
      assertTrue(fault.unavailable(), fault.getMessage());
    } catch (ExecutionException error) {
      assertTrue(((DatabaseFault) error.getCause()).unavailable(), error.getMessage());
    }
    return false;
  }

  @EachTarget
  void doesNotStartWithoutADatabase(String target, boolean shared) {
    Map<String, String> database = Map.of("PGDATABASE", "no such database");
    Map<String, String> port = Map.of("PGPORT", "1");
    Map<String, String> host = Map.of("PGHOST", "no-such-host.invalid");
    for (Map<String, String> wrong : List.of(database, port, host)) {
      DatabaseFault fault =
          assertThrows(DatabaseFault.class, () -> Main.TARGETS.get(target).apply(settings(target, shared, wrong)));
      assertTrue(fault.unavailable(), fault.getMessage());
      assertFalse(fault.getMessage().isBlank());
    }
  }
}
