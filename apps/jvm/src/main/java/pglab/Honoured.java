package pglab;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/** Which of libpq's variables a driver honours, and with which values: apps/lib/drivers.json, which all targets share. */
final class Honoured {
  private static final Map<String, String> DRIVERS =
      Map.of("jdbc", "pgjdbc", "adba", "pgadba", "vertx", "vertx-pg-client");
  private static final JsonObject RULES = rules();

  private Honoured() {}

  /** Throws a Fault (64) when env sets a variable of libpq that the target's driver would leave out. */
  static void require(String target, Map<String, String> env) {
    String driver = DRIVERS.get(target);
    JsonObject honoured = RULES.getJsonObject("common").copy().mergeIn(RULES.getJsonObject("drivers").getJsonObject(driver));
    for (Map.Entry<String, Object> variable : RULES.getJsonObject("variables")) {
      String value = env.getOrDefault((String) variable.getValue(), "");
      String pattern = honoured.getString(variable.getKey());
      if (!value.isEmpty() && (pattern == null || !Pattern.compile(pattern).matcher(value).find())) {
        String refused = variable.getKey() + "=" + value + " (" + variable.getValue() + ")";
        throw new Fault(64, driver + " cannot honour " + refused);
      }
    }
  }

  private static JsonObject rules() {
    try (InputStream json = Honoured.class.getResourceAsStream("/drivers.json")) {
      return new JsonObject(new String(json.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
