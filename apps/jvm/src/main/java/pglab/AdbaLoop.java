package pglab;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.postgresql.adba.execution.DefaultNioLoop;
import org.postgresql.adba.execution.NioLoop;
import org.postgresql.adba.execution.NioService;
import org.postgresql.adba.execution.NioServiceContext;

/**
 * pgadba's own loop, one thread that serves every session, with two faults of version 0.1.1-ALPHA mended at its edges:
 * - A request that comes just when the loop finds nothing left to write is forgotten until the session's next one: the
 *   loop goes back to reading only, after the request has asked for writing. Here the wish to write outlives that.
 * - Nobody is told that a connection was lost. Here onLoss is called with the cause, once it has been closed.
 */
final class AdbaLoop implements AutoCloseable {
  private final DefaultNioLoop loop = new DefaultNioLoop();

  AdbaLoop() {
    Thread thread = new Thread(loop, "adba");
    thread.setDaemon(true);
    thread.start();
  }

  /** The loop as a session is to see it. */
  NioLoop with(Consumer<Throwable> onLoss) {
    return (channel, factory) ->
        loop.registerNioService(
            channel,
            context -> {
              Wishes wishes = new Wishes(context, new AtomicBoolean());
              return new Service(factory.createNioService(wishes), wishes, onLoss);
            });
  }

  @Override
  public void close() {
    loop.close();
  }

  /** The connection's view of the loop. */
  private record Wishes(NioServiceContext context, AtomicBoolean toWrite) implements NioServiceContext {
    @Override
    public void writeRequired() {
      toWrite.set(true);
      context.writeRequired();
    }

    @Override
    public void setInterestedOps(int operations) throws IOException {
      context.setInterestedOps(operations);
      if (toWrite.get() && (operations & SelectionKey.OP_WRITE) == 0) context.writeRequired();
    }

    @Override
    public SelectableChannel getChannel() {
      return context.getChannel();
    }

    @Override
    public void unregister() throws IOException {
      context.unregister();
    }
  }

  /** The loop's view of the connection. */
  private record Service(NioService service, Wishes wishes, Consumer<Throwable> onLoss) implements NioService {
    @Override
    public void handleConnect() throws Exception {
      service.handleConnect();
    }

    @Override
    public void handleRead() throws Exception {
      service.handleRead();
    }

    @Override
    public void handleWrite() throws Exception {
      wishes.toWrite.set(false); // before the queue is emptied: what comes later is a new wish
      service.handleWrite();
    }

    @Override
    public void handleException(Throwable error) {
      service.handleException(error);
      onLoss.accept(error);
    }
  }
}
