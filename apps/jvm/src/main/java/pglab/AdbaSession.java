package pglab;

import java.net.ConnectException;
import java.net.URLEncoder;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collector;
import jdk.incubator.sql2.AdbaType;
import jdk.incubator.sql2.DataSource;
import jdk.incubator.sql2.ParameterizedRowOperation;
import jdk.incubator.sql2.Result.RowColumn;
import jdk.incubator.sql2.Session;
import org.postgresql.adba.PgDataSourceFactory;
import org.postgresql.adba.PgDataSourceProperty;
import org.postgresql.adba.PgSessionProperty;
import org.postgresql.adba.communication.packets.ErrorPacket;
import org.postgresql.adba.communication.packets.parts.ErrorResponseField;

/**
 * One session of pgadba, which is one connection: it takes any number of questions at a time and pipelines them. Each
 * statement is prepared once.
 */
final class AdbaSession {
  private final Session session;
  private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();
  private volatile DatabaseFault loss = new DatabaseFault(null, "the connection was lost", null);
  private volatile boolean lost;

  /** Connects, logs in and asks, for only an answer shows that the server let it in. Throws a DatabaseFault. */
  AdbaSession(Settings settings, AdbaLoop loop) {
    session = source(settings, loop.with(this::lose)).builder().build();
    CompletableFuture<Boolean> attached = expect();
    try {
      session
          .attachOperation()
          .onError(error -> loss = fault(error))
          .submit()
          .getCompletionStage()
          .whenComplete((nothing, error) -> settle(attached, true, error));
      attached
          .thenCompose(done -> ask(Queries.PING, null, row -> row))
          .orTimeout(settings.connectTimeoutS(), TimeUnit.SECONDS)
          .join();
    } catch (UnresolvedAddressException error) {
      throw new DatabaseFault(null, "the host " + settings.pgHost() + " is not known", error);
    } catch (CompletionException error) {
      throw fault(error.getCause());
    }
  }

  private static DataSource source(Settings settings, Object loop) {
    String database = URLEncoder.encode(settings.pgDatabase(), StandardCharsets.UTF_8);
    return new PgDataSourceFactory()
        .builder()
        .property(PgDataSourceProperty.NIO_LOOP, loop)
        .url("jdbc:postgresql://" + settings.pgHost() + ":" + settings.pgPort() + "/" + database)
        .username(settings.pgUser())
        .password(settings.pgPassword())
        .sessionProperty(PgSessionProperty.APPLICATION_NAME, settings.applicationName())
        .build();
  }

  /**
   * Asks for rows; value, when not null, is $1. The answer comes on the loop's thread.
   * It is taken from the collector and the error handler, for the library's own future is made without
   * synchronisation by whichever thread needs it first, so that now and then there are two of it.
   */
  <T> CompletableFuture<List<T>> ask(String sql, String value, Function<RowColumn, T> read) {
    CompletableFuture<List<T>> answer = expect();
    ParameterizedRowOperation<Object> operation = session.rowOperation(sql);
    if (value != null) operation.set("$1", value, AdbaType.VARCHAR);
    operation
        .collect(
            Collector.<RowColumn, List<T>, Object>of(
                ArrayList::new,
                (rows, row) -> {
                  try {
                    rows.add(read.apply(row));
                  } catch (RuntimeException error) { // would end the session
                    settle(answer, null, error);
                  }
                },
                (rows, more) -> rows,
                rows -> settle(answer, rows, null)))
        .onError(error -> settle(answer, null, error))
        .submit();
    if (lost) failPending();
    return answer;
  }

  /** True when the connection is gone: every question has failed, and every further one will. */
  boolean lost() {
    return lost;
  }

  /** Tells the server and closes the connection. */
  CompletableFuture<Void> close() {
    return session.closeOperation().submit().getCompletionStage().toCompletableFuture();
  }

  private <T> CompletableFuture<T> expect() {
    CompletableFuture<T> answer = new CompletableFuture<>();
    pending.add(answer);
    return answer;
  }

  private <T> T settle(CompletableFuture<T> answer, T value, Throwable error) {
    pending.remove(answer);
    if (error == null) answer.complete(value);
    else answer.completeExceptionally(fault(error));
    return value;
  }

  private void lose(Throwable error) {
    if (error instanceof ConnectException) loss = fault(error);
    lost = true;
    failPending();
  }

  private void failPending() {
    for (CompletableFuture<?> answer : pending) settle(answer, null, loss);
  }

  private static DatabaseFault fault(Throwable error) {
    if (error instanceof DatabaseFault fault) return fault;
    Throwable cause = error instanceof ErrorPacket ? error : error.getCause();
    String state = cause instanceof ErrorPacket packet ? packet.getField(ErrorResponseField.Types.SQLSTATE_CODE) : null;
    return new DatabaseFault(state, error.getMessage(), error);
  }
}
