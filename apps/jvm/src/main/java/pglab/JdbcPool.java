package pglab;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** pgjdbc on a HikariCP pool whose connections are opened at start and kept. */
final class JdbcPool extends JdbcDatabase {
  private static final long OPEN_TIMEOUT_MS = 10_000;
  private static final long WAIT_TIMEOUT_MS = 60_000; // load tools give a whole request that long

  private final HikariDataSource pool;

  /** Opens the connections. Throws a DatabaseFault when it cannot open them all. */
  JdbcPool(Settings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(settings.name());
    config.setDataSource(source(settings));
    config.setMaximumPoolSize(settings.connections());
    config.setMaxLifetime(0); // no connection is closed for its age,
    config.setIdleTimeout(0); // nor for being idle,
    config.setKeepaliveTime(0); // nor asked whether it lives
    config.setConnectionTimeout(OPEN_TIMEOUT_MS);
    try {
      pool = new HikariDataSource(config);
      openAll(settings.connections());
    } catch (HikariPool.PoolInitializationException error) {
      throw error.getCause() instanceof SQLException cause ? fault(cause) : error;
    } catch (SQLException error) {
      throw fault(error);
    }
    pool.setConnectionTimeout(WAIT_TIMEOUT_MS);
  }

  private void openAll(int count) throws SQLException {
    List<Connection> held = new ArrayList<>();
    try {
      while (held.size() < count) held.add(pool.getConnection());
    } catch (SQLException error) {
      pool.close();
      throw error;
    } finally {
      for (Connection connection : held) connection.close();
    }
  }

  @Override
  <T> T hold(Question<T> question) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return question.ask(connection);
    }
  }

  @Override
  public PoolStats pool() {
    var stats = pool.getHikariPoolMXBean();
    return new PoolStats(stats.getTotalConnections(), stats.getIdleConnections(), stats.getThreadsAwaitingConnection());
  }

  @Override
  public void close() {
    pool.close();
  }
}
