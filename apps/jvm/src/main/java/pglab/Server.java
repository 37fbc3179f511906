package pglab;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The JDK's own HTTP server around the routes. A request takes a thread of a pool that grows as it must. A blocking
 * driver keeps that thread until the answer; an asynchronous one gives it back, and the answer is sent from the
 * driver's own thread, as an event loop would: it is small enough for a socket's buffer, so that writing does not wait.
 */
final class Server {
  private static final int BACKLOG = 1024;
  private static final int DRAIN_STEP_MS = 10;

  static {
    // Read once, when the server's classes are loaded. Without the first, Nagle's algorithm holds every body back for
    // the acknowledgement of its head; without the others, idle connections are closed after 30 s, or beyond 200.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.idleInterval", "75");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
  }

  private final Routes routes;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean closing;

  /** Listens. Throws a Fault (2) when the address cannot be had. */
  Server(String host, int port, Routes routes) {
    this.routes = routes;
    try {
      http = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
    } catch (BindException error) {
      String taken = "is taken: stop what listens there, or set PORT to another";
      boolean inUse = error.getMessage().contains("in use");
      throw new Fault(2, host + ":" + port + " " + (inUse ? taken : "cannot be used: " + error.getMessage()));
    } catch (IOException | RuntimeException error) { // a name that does not resolve is a RuntimeException
      throw new Fault(2, host + ":" + port + " cannot be used: " + error.getMessage());
    }
    http.createContext("/", this::handle);
    http.setExecutor(threads);
    http.start();
  }

  /** The port that it listens on. */
  int port() {
    return http.getAddress().getPort();
  }

  /** Lets requests in flight finish, for up to limitMs; new ones are answered 503. False when some did not finish. */
  boolean close(long limitMs) throws InterruptedException {
    closing = true;
    long end = System.nanoTime() + limitMs * 1_000_000;
    while (inFlight.get() > 0 && System.nanoTime() < end) Thread.sleep(DRAIN_STEP_MS);
    boolean done = inFlight.get() == 0;
    http.stop(0);
    threads.shutdown();
    return done;
  }

  private void handle(HttpExchange exchange) {
    inFlight.incrementAndGet();
    if (closing) {
      send(exchange, Answer.error(503, "the target is closing", null));
      return;
    }
    routes
        .answer(exchange.getRequestMethod(), exchange.getRequestURI().getRawPath())
        .thenAccept(answer -> send(exchange, answer));
  }

  private void send(HttpExchange exchange, Answer answer) {
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    try (OutputStream body = exchange.getResponseBody()) {
      exchange.sendResponseHeaders(answer.status(), head ? -1 : answer.body().length);
      if (!head) body.write(answer.body());
    } catch (IOException error) {
      exchange.close(); // the client went away
    } finally {
      inFlight.decrementAndGet();
    }
  }
}
