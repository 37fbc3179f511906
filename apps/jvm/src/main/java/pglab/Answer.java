package pglab;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** What goes back to the client. */
record Answer(int status, String type, byte[] body) {
  private static final String JSON = "application/json; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";

  static Answer text(String body) {
    return new Answer(200, TEXT, body.getBytes(StandardCharsets.UTF_8));
  }

  static Answer json(String body) {
    return new Answer(200, JSON, body.getBytes(StandardCharsets.UTF_8));
  }

  /** {"error","message","code"}; code null: the status in capitals. */
  static Answer error(int status, String message, String code) {
    String name =
        switch (status) {
          case 400 -> "Bad Request";
          case 404 -> "Not Found";
          case 414 -> "URI Too Long";
          case 503 -> "Service Unavailable";
          default -> "Internal Server Error";
        };
    Map<String, String> body = new LinkedHashMap<>();
    body.put("error", name);
    body.put("message", message == null || message.isEmpty() ? name : message);
    body.put("code", code == null ? name.toUpperCase().replace(' ', '_') : code);
    return new Answer(status, JSON, Json.write(body).getBytes(StandardCharsets.UTF_8));
  }

  /** 503 when the database cannot be had, 500 otherwise (a statement failed, or a bug). */
  static Answer of(Throwable thrown) {
    Throwable error = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    if (error instanceof DatabaseFault fault) {
      return error(fault.unavailable() ? 503 : 500, fault.getMessage(), fault.sqlState);
    }
    return error(500, error.getMessage(), null);
  }
}
