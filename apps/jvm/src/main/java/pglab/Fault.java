package pglab;

/** A fault of the user or the machine, told in one line: the message says what to do, exitCode is 64 (usage) or 2. */
final class Fault extends RuntimeException {
  private static final long serialVersionUID = 1;

  final int exitCode;

  Fault(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }
}
