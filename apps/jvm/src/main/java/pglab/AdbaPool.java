package pglab;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** pgadba: sessions take the questions in turn, however many they still have to answer; or, shared, there is one. */
final class AdbaPool implements Database {
  private static final int CLOSE_TIMEOUT_S = 2;

  private final Settings settings;
  private final AdbaLoop loop = new AdbaLoop();
  private final AtomicReferenceArray<AdbaSession> sessions;
  private final AtomicInteger turn = new AtomicInteger();

  /** Opens the sessions. Throws a DatabaseFault when it cannot open them all. */
  AdbaPool(Settings settings) {
    this.settings = settings;
    sessions = new AtomicReferenceArray<>(settings.connections());
    for (int i = 0; i < sessions.length(); i++) sessions.set(i, new AdbaSession(settings, loop));
  }

  @Override
  public CompletionStage<String> echo(String value) {
    return next().ask(Queries.ECHO, value, row -> row.at(1).get(String.class)).thenApply(rows -> rows.get(0));
  }

  @Override
  public CompletionStage<List<AnalyticsRow>> analytics() {
    return next()
        .ask(
            Queries.ANALYTICS,
            null,
            row ->
                new AnalyticsRow(
                    row.at(1).get(Object.class).toString(), // char(1) comes as a Character
                    row.at(2).get(Integer.class),
                    row.at(3).get(Integer.class),
                    row.at(4).get(String.class)));
  }

  @Override
  public CompletionStage<?> ping() {
    return next().ask(Queries.PING, null, row -> row.at(1).get(Integer.class));
  }

  private AdbaSession next() {
    int index = Math.floorMod(turn.getAndIncrement(), sessions.length());
    AdbaSession session = sessions.get(index);
    return session.lost() ? replace(index, session) : session;
  }

  private synchronized AdbaSession replace(int index, AdbaSession lost) {
    if (sessions.get(index) == lost) sessions.set(index, new AdbaSession(settings, loop));
    return sessions.get(index);
  }

  private Stream<AdbaSession> alive() {
    return IntStream.range(0, sessions.length()).mapToObj(sessions::get).filter(session -> !session.lost());
  }

  @Override
  public PoolStats pool() {
    return new PoolStats((int) alive().count(), null, null);
  }

  @Override
  public void close() {
    CompletableFuture<?>[] closed = alive().map(AdbaSession::close).toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(closed).completeOnTimeout(null, CLOSE_TIMEOUT_S, TimeUnit.SECONDS).join();
    loop.close();
  }
}
