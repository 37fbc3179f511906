package pglab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ServerTest {
  private final FakeDatabase database = new FakeDatabase();
  private final Server server = new Server("127.0.0.1", 0, new Routes(database, new Stats("fake", database::pool)));
  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @AfterEach
  void stop() throws InterruptedException {
    server.close(0);
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(to(path).build(), BodyHandlers.ofString());
  }

  @Test
  void answersOverHttp() throws Exception {
    HttpResponse<String> hello = get("/?query=ignored");
    assertEquals("Hello World!", hello.body());
    assertEquals("text/plain; charset=utf-8", hello.headers().firstValue("content-type").orElseThrow());
    assertEquals("12", hello.headers().firstValue("content-length").orElseThrow());
    HttpResponse<String> echo = get("/echo/%C3%A9");
    assertEquals("{\"value\":\"é\"}", echo.body());
    assertEquals("application/json; charset=utf-8", echo.headers().firstValue("content-type").orElseThrow());
    assertEquals(400, get("/echo/").statusCode());
  }

  @Test
  void headHasNoBodyAndAPostIsUnknown() throws Exception {
    HttpRequest head = to("/").method("HEAD", BodyPublishers.noBody()).build();
    assertEquals(200, client.send(head, BodyHandlers.ofString()).statusCode());
    HttpRequest post = to("/echo/x").POST(BodyPublishers.ofString("body")).build();
    assertEquals(404, client.send(post, BodyHandlers.ofString()).statusCode());
    assertEquals(200, get("/").statusCode());
  }

  @Test
  void statsHasTheKeysOfTheOtherTargets() throws Exception {
    String body = get("/stats").body();
    assertTrue(
        body.matches(
            "\\{\"target\":\"fake\",\"uptime_s\":[\\d.]+,\"interval_s\":[\\d.E-]+,\"event_loop_utilization\":null,"
                + "\"event_loop_delay_mean_us\":null,\"event_loop_delay_p99_us\":null,\"event_loop_delay_max_us\":null,"
                + "\"rss_bytes\":(\\d+|null),\"heap_used_bytes\":\\d+,\"cpu_user_s\":([\\d.]+|null),"
                + "\"cpu_system_s\":([\\d.]+|null),\"pool\":\\{\"total\":10,\"idle\":9,\"waiting\":0\\}\\}"),
        body);
  }

  @Test
  void closingWaitsForWhatIsInFlight() throws Exception {
    database.later = new CompletableFuture<>();
    CompletableFuture<HttpResponse<String>> slow = client.sendAsync(to("/echo/x").build(), BodyHandlers.ofString());
    database.asked.await();
    CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(this::closeSlowly);
    while (get("/").statusCode() != 503) assertFalse(slow.isDone());
    database.later.complete("x");
    assertEquals("{\"value\":\"x\"}", slow.get(5, TimeUnit.SECONDS).body());
    assertTrue(closed.get(5, TimeUnit.SECONDS));
  }

  private boolean closeSlowly() {
    try {
      return server.close(5000);
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }

  @Test
  void closingTellsWhenItGaveUp() throws Exception {
    database.later = new CompletableFuture<>();
    client.sendAsync(to("/echo/x").build(), BodyHandlers.ofString());
    database.asked.await();
    assertFalse(server.close(50));
  }

  @Test
  void aTakenPortIsAFaultThatSaysWhatToDo() {
    Routes routes = new Routes(database, () -> "{}");
    Fault fault = assertThrows(Fault.class, () -> new Server("127.0.0.1", server.port(), routes));
    assertEquals(2, fault.exitCode);
    String toDo = " is taken: stop what listens there, or set PORT to another";
    assertEquals("127.0.0.1:" + server.port() + toDo, fault.getMessage());
  }

  @Test
  void aHostThatIsNotOursIsAFault() {
    Fault fault = assertThrows(Fault.class, () -> new Server("192.0.2.1", 0, new Routes(database, () -> "{}")));
    assertEquals(2, fault.exitCode);
    assertTrue(fault.getMessage().startsWith("192.0.2.1:0 cannot be used: "), fault.getMessage());
  }
}
