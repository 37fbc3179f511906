package pglab;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.adba.execution.NioService;
import org.postgresql.adba.execution.NioServiceContext;

/** The mended edges of pgadba's loop, on a real connection. */
class AdbaLoopTest {
  private final AdbaLoop loop = new AdbaLoop();
  private ServerSocketChannel server;
  private SocketChannel client;

  @BeforeEach
  void connect() throws IOException {
    server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    client = SocketChannel.open(server.getLocalAddress());
    client.configureBlocking(false);
  }

  @AfterEach
  void close() throws IOException {
    loop.close();
    client.close();
    server.close();
  }

  /** Does nothing but what a test has it do when it may write. */
  private abstract static class Idle implements NioService {
    @Override
    public void handleConnect() {}

    @Override
    public void handleRead() {}

    @Override
    public void handleException(Throwable error) {}
  }

  /** Has the loop serve the connection so, and asks to write. */
  private void ask(NioService service, CompletableFuture<NioServiceContext> context, Consumer<Throwable> onLoss)
      throws IOException {
    loop.with(onLoss)
        .registerNioService(
            client,
            given -> {
              context.complete(given);
              return service;
            });
    context.join().writeRequired();
  }

  @Test
  void remembersARequestThatCameWhileItWasWriting() throws Exception {
    CountDownLatch writes = new CountDownLatch(2);
    CompletableFuture<NioServiceContext> context = new CompletableFuture<>();
    NioService service =
        new Idle() {
          @Override
          public void handleWrite() throws IOException {
            writes.countDown();
            if (writes.getCount() == 1) context.join().writeRequired(); // what another thread may do just now
            context.join().setInterestedOps(SelectionKey.OP_READ); // what pgadba does when it has no more to write
          }
        };
    ask(service, context, error -> {});
    assertTrue(writes.await(5, TimeUnit.SECONDS), "the second request was forgotten");
  }

  @Test
  void tellsOfALoss() throws Exception {
    IOException broken = new IOException("broken");
    CompletableFuture<Throwable> loss = new CompletableFuture<>();
    CompletableFuture<NioServiceContext> context = new CompletableFuture<>();
    NioService service =
        new Idle() {
          @Override
          public void handleWrite() throws IOException {
            throw broken;
          }

          @Override
          public void handleException(Throwable error) { // what pgadba does then
            try {
              client.close();
            } catch (IOException failure) {
              loss.completeExceptionally(failure);
            }
          }
        };
    ask(service, context, loss::complete);
    assertSame(broken, loss.get(5, TimeUnit.SECONDS));
    assertTrue(!client.isOpen(), "told before it was closed");
  }
}
