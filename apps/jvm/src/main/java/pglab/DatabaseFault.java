package pglab;

import java.util.regex.Pattern;

/** A statement that failed or a database that cannot be had. sqlState: the server's word, null when it had none. */
final class DatabaseFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  // SQLSTATE classes that say "not now" rather than "not so", as in apps/lib/errors.js.
  private static final Pattern UNAVAILABLE = Pattern.compile("^(08|28|3D|53|57P)");

  final String sqlState;

  DatabaseFault(String sqlState, String message, Throwable cause) {
    super(message, cause);
    this.sqlState = sqlState;
  }

  /** True when the database cannot be had; false when it refused the statement. */
  boolean unavailable() {
    return sqlState == null || UNAVAILABLE.matcher(sqlState).find();
  }
}
