package pglab;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The routes that all targets share, as apps/lib/routes.js has them.
 *   GET /              Hello World!                         no database
 *   GET /echo/:value   {"value":"..."}                      1 to 200 characters, none of them NUL; else 400
 *   GET /analytics     [{"status","year","orders","total"}] ordered by status and year
 *   GET /healthz       {"status":"ok"}, or 503 when the database does not answer
 *   GET /stats         see Stats
 */
final class Routes {
  private static final String ECHO = "/echo/";
  private static final int ECHO_LIMIT = 200; // UTF-16 units
  private static final int PARAMETER_LIMIT = 4096; // characters as sent

  private final Database database;
  private final Supplier<String> stats;

  Routes(Database database, Supplier<String> stats) {
    this.database = database;
    this.stats = stats;
  }

  /** The answer to a request; path is the raw one, without the query. Its stage never fails. */
  CompletionStage<Answer> answer(String method, String path) {
    try {
      return route(method, path).exceptionally(Answer::of);
    } catch (RuntimeException error) {
      return now(Answer.of(error));
    }
  }

  private CompletionStage<Answer> route(String method, String path) {
    if (!method.equals("GET") && !method.equals("HEAD")) return notFound(method, path);
    if (path.startsWith(ECHO) && path.indexOf('/', ECHO.length()) < 0) return echo(path.substring(ECHO.length()));
    return switch (path) {
      case "/" -> now(Answer.text("Hello World!"));
      case "/analytics" -> database.analytics().thenApply(rows -> Answer.json(Json.analytics(rows)));
      case "/healthz" -> database.ping().thenApply(pong -> Answer.json("{\"status\":\"ok\"}"));
      case "/stats" -> now(Answer.json(stats.get()));
      default -> notFound(method, path);
    };
  }

  private CompletionStage<Answer> echo(String parameter) {
    if (parameter.length() > PARAMETER_LIMIT) return now(Answer.error(414, "value is too long", null));
    String value;
    try {
      value = decode(parameter);
    } catch (CharacterCodingException | NumberFormatException | IndexOutOfBoundsException error) {
      return now(Answer.error(400, "'" + ECHO + parameter + "' is not a valid url component", "BAD_URL"));
    }
    if (value.isEmpty() || value.length() > ECHO_LIMIT || value.indexOf('\0') >= 0) {
      String message = "value must have 1 to " + ECHO_LIMIT + " characters, none of them NUL";
      return now(Answer.error(400, message, "BAD_VALUE"));
    }
    return database.echo(value).thenApply(echoed -> Answer.json(Json.echo(echoed)));
  }

  /** As decodeURIComponent: %XX are bytes of UTF-8, strictly. Characters arrive as the bytes that were sent. */
  private static String decode(String raw) throws CharacterCodingException {
    byte[] bytes = new byte[raw.length()];
    int length = 0;
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes[length++] = (byte) HexFormat.fromHexDigits(raw, i + 1, i + 3);
        i += 2;
      } else {
        bytes[length++] = (byte) c;
      }
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
  }

  private static CompletionStage<Answer> notFound(String method, String path) {
    String message = "there is no " + method + " " + path.substring(0, Math.min(path.length(), 100));
    return now(Answer.error(404, message, null));
  }

  private static CompletionStage<Answer> now(Answer answer) {
    return CompletableFuture.completedFuture(answer);
  }
}
