package pglab;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.postgresql.ds.PGSimpleDataSource;

/** pgjdbc on one connection for all threads, which take turns: a question has it from first byte to last row. */
final class JdbcShared extends JdbcDatabase {
  private final PGSimpleDataSource source;
  private final ReentrantLock turn = new ReentrantLock();
  private Connection connection; // guarded by turn

  /** Opens the connection. Throws a DatabaseFault when it cannot. */
  JdbcShared(Settings settings) {
    source = source(settings);
    try {
      connection = source.getConnection();
    } catch (SQLException error) {
      throw fault(error);
    }
  }

  @Override
  <T> T hold(Question<T> question) throws SQLException {
    turn.lock();
    try {
      if (connection.isClosed()) connection = source.getConnection();
      return question.ask(connection);
    } finally {
      turn.unlock();
    }
  }

  @Override
  public PoolStats pool() {
    return new PoolStats(1, turn.isLocked() ? 0 : 1, turn.getQueueLength());
  }

  @Override
  public void close() {
    turn.lock();
    try {
      connection.close();
    } catch (SQLException error) {
      throw fault(error);
    } finally {
      turn.unlock();
    }
  }
}
