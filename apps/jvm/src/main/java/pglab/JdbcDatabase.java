package pglab;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The questions, asked through pgjdbc with its defaults: a statement goes unnamed until a connection has seen it five
 * times, then it is prepared on the server. The thread that asks is the thread that waits.
 */
abstract class JdbcDatabase implements Database {
  private static final String ECHO = Queries.ECHO.replace("$1::text", "?::text");

  /** What is asked while a connection is held. */
  interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  /** Runs the question on a connection that nobody else uses meanwhile. */
  abstract <T> T hold(Question<T> question) throws SQLException;

  /** Where connections come from. */
  static PGSimpleDataSource source(Settings settings) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {settings.pgHost()});
    source.setPortNumbers(new int[] {settings.pgPort()});
    source.setUser(settings.pgUser());
    source.setPassword(settings.pgPassword());
    source.setDatabaseName(settings.pgDatabase());
    source.setApplicationName(settings.applicationName());
    source.setConnectTimeout(settings.connectTimeoutS());
    if (!settings.options().isEmpty()) source.setOptions(settings.options());
    secure(source, settings.tls());
    return source;
  }

  private static void secure(PGSimpleDataSource source, Tls tls) {
    if (!tls.mode().isEmpty()) source.setSslMode(tls.mode());
    if (tls.rootCert() != null) source.setSslRootCert(tls.rootCert());
    if (tls.cert() != null) {
      source.setSslCert(tls.cert());
      source.setSslKey(tls.key());
      source.setProperty(PGProperty.PEM_KEY_ALGORITHM, tls.keyAlgorithm());
    }
    if (!tls.channelBinding().isEmpty()) source.setProperty(PGProperty.CHANNEL_BINDING, tls.channelBinding());
  }

  @Override
  public CompletionStage<String> echo(String value) {
    return answer(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(ECHO)) {
            statement.setString(1, value);
            try (ResultSet rows = statement.executeQuery()) {
              rows.next();
              return rows.getString(1);
            }
          }
        });
  }

  @Override
  public CompletionStage<List<AnalyticsRow>> analytics() {
    return answer(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(Queries.ANALYTICS);
              ResultSet rows = statement.executeQuery()) {
            List<AnalyticsRow> answer = new ArrayList<>();
            while (rows.next()) {
              answer.add(new AnalyticsRow(rows.getString(1), rows.getInt(2), rows.getInt(3), rows.getString(4)));
            }
            return answer;
          }
        });
  }

  @Override
  public CompletionStage<?> ping() {
    return answer(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(Queries.PING)) {
            return statement.execute();
          }
        });
  }

  private <T> CompletionStage<T> answer(Question<T> question) {
    try {
      return CompletableFuture.completedFuture(hold(question));
    } catch (SQLException error) {
      throw fault(error);
    }
  }

  /** HikariCP's time-out names the pool and has the driver's own words as its cause. */
  static DatabaseFault fault(SQLException error) {
    Throwable cause = error.getCause() instanceof SQLException ? error.getCause() : error;
    return new DatabaseFault(((SQLException) cause).getSQLState(), cause.getMessage(), error);
  }
}
