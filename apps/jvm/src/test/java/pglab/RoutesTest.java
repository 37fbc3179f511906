package pglab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
  private static final String UNFIT =
      error(400, "Bad Request", "value must have 1 to 200 characters, none of them NUL", "BAD_VALUE");

  private final FakeDatabase database = new FakeDatabase();
  private final Routes routes = new Routes(database, () -> "{}");

  private String get(String path) {
    return statusAndBody(routes.answer("GET", path));
  }

  private static String error(int status, String error, String message, String code) {
    return status + " {\"error\":\"" + error + "\",\"message\":\"" + message + "\",\"code\":\"" + code + "\"}";
  }

  private static String statusAndBody(CompletionStage<Answer> stage) {
    Answer answer = stage.toCompletableFuture().join();
    return answer.status() + " " + new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void greets() {
    Answer answer = routes.answer("GET", "/").toCompletableFuture().join();
    assertEquals("text/plain; charset=utf-8", answer.type());
    assertEquals("Hello World!", new String(answer.body(), StandardCharsets.US_ASCII));
  }

  @Test
  void answersAnalyticsHealthAndStats() {
    String first = "{\"status\":\"F\",\"year\":1992,\"orders\":3,\"total\":\"10.50\"}";
    String second = "{\"status\":\"O\",\"year\":1993,\"orders\":1,\"total\":\"0.01\"}";
    assertEquals("200 [" + first + "," + second + "]", get("/analytics"));
    assertEquals("200 {\"status\":\"ok\"}", get("/healthz"));
    assertEquals("200 {}", get("/stats"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {"x x", "a%2Fb a/b", "a+b a+b", "x;y x;y", "%C3%A9%F0%9F%98%80 é😀", "Ã© é", "%22%0a \\\"\\n"})
  void echoesWhatDecodes(String sent, String value) {
    assertEquals("200 {\"value\":\"" + value + "\"}", get("/echo/" + sent));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "%zz", "%-1", "%+1", "%ff", "%ED%A0%80", "%C0%AF", "x%e2%80"})
  void refusesWhatDoesNotDecode(String sent) {
    String message = "'/echo/" + sent + "' is not a valid url component";
    assertEquals(error(400, "Bad Request", message, "BAD_URL"), get("/echo/" + sent));
  }

  @Test
  void limitsAreThoseOfTheOtherTargets() {
    assertEquals(UNFIT, get("/echo/"));
    assertEquals(UNFIT, get("/echo/a%00b"));
    assertEquals("200", get("/echo/" + "a".repeat(200)).substring(0, 3));
    assertEquals(UNFIT, get("/echo/" + "a".repeat(201)));
    assertEquals("200", get("/echo/" + "%F0%9F%98%80".repeat(100)).substring(0, 3));
    assertEquals(UNFIT, get("/echo/" + "%F0%9F%98%80".repeat(100) + "a"));
    assertEquals("414", get("/echo/" + "a".repeat(4097)).substring(0, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nope", "/echo", "/echo/x/", "/echo/a/b", "//", "/ECHO/x"})
  void knowsNoOtherPath(String path) {
    assertEquals(error(404, "Not Found", "there is no GET " + path, "NOT_FOUND"), get(path));
  }

  @Test
  void knowsNoOtherMethod() {
    assertEquals("404", statusAndBody(routes.answer("POST", "/echo/x")).substring(0, 3));
    assertEquals("200", statusAndBody(routes.answer("HEAD", "/")).substring(0, 3));
  }

  @ParameterizedTest
  @CsvSource({
    "08006, 503, Service Unavailable", "28P01, 503, Service Unavailable", "53300, 503, Service Unavailable",
    "57P01, 503, Service Unavailable", "57014, 500, Internal Server Error", "42P01, 500, Internal Server Error"
  })
  void tellsAMissingDatabaseFromAFailedStatement(String state, int status, String error) {
    database.failure = new DatabaseFault(state, "said so", null);
    String expected = error(status, error, "said so", state);
    assertEquals(expected, get("/echo/x")); // thrown
    assertEquals(expected, get("/analytics")); // in the stage
    assertEquals(expected, get("/healthz"));
  }

  @Test
  void aDatabaseThatSaysNothingIsUnavailableAndABugIsNot() {
    database.failure = new DatabaseFault(null, "gone", null);
    assertEquals(error(503, "Service Unavailable", "gone", "SERVICE_UNAVAILABLE"), get("/echo/x"));
    database.failure = new IllegalStateException();
    assertEquals(error(500, "Internal Server Error", "Internal Server Error", "INTERNAL_SERVER_ERROR"), get("/echo/x"));
  }

  @Test
  void answersLaterWhenTheDatabaseDoes() {
    database.later = new CompletableFuture<>();
    CompletableFuture<Answer> answer = routes.answer("GET", "/echo/x").toCompletableFuture();
    assertEquals(false, answer.isDone());
    database.later.complete("x");
    assertEquals("200 {\"value\":\"x\"}", statusAndBody(answer));
  }
}
