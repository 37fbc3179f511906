package pglab;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.SslMode;
import io.vertx.sqlclient.ClientBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * vertx-pg-client: statements are prepared once in each connection and cached. The pool gives a connection to one
 * request at a time; shared, one connection takes all requests and pipelines them.
 */
final class VertxPool implements Database {
  private static final int WAIT_TIMEOUT_S = 60; // load tools give a whole request that long

  private final Vertx vertx = Vertx.vertx();
  private final SqlClient client;

  /** Opens the connections. Throws a DatabaseFault when it cannot open them all. */
  VertxPool(Settings settings) {
    PoolOptions options = new PoolOptions().setMaxSize(settings.connections()).setConnectionTimeout(WAIT_TIMEOUT_S);
    PgConnectOptions server =
        new PgConnectOptions()
            .setHost(settings.pgHost())
            .setPort(settings.pgPort())
            .setUser(settings.pgUser())
            .setPassword(settings.pgPassword())
            .setDatabase(settings.pgDatabase())
            .addProperty("application_name", settings.applicationName())
            .setCachePreparedStatements(true);
    if (!settings.options().isEmpty()) server.addProperty("options", settings.options());
    if (settings.tls().enabled()) secure(server, settings.tls());
    NetClientOptions network = new NetClientOptions().setConnectTimeout(settings.connectTimeoutS() * 1000);
    ClientBuilder<? extends SqlClient> builder = settings.shared() ? PgBuilder.client() : PgBuilder.pool();
    client = builder.with(options).with(network).connectingTo(server).using(vertx).build();
    try {
      if (client instanceof Pool pool && !settings.shared()) openAll(pool, settings.connections());
      ping().toCompletableFuture().join();
    } catch (CompletionException error) {
      close();
      throw fault(error.getCause());
    }
  }

  private static void secure(PgConnectOptions server, Tls tls) {
    ClientSSLOptions options = new ClientSSLOptions();
    options.setHostnameVerificationAlgorithm(tls.mode().equals("verify-full") ? "HTTPS" : "");
    if (tls.rootCert() == null) options.setTrustAll(true);
    else options.setTrustOptions(new PemTrustOptions().addCertPath(tls.rootCert()));
    if (tls.cert() != null) {
      options.setKeyCertOptions(new PemKeyCertOptions().addCertPath(tls.cert()).addKeyPath(tls.key()));
    }
    server.setSslMode(SslMode.of(tls.mode())).setSslOptions(options);
  }

  private static void openAll(Pool pool, int count) {
    List<Future<SqlConnection>> opened = Stream.generate(pool::getConnection).limit(count).toList();
    try {
      await(Future.join(opened));
    } finally {
      await(Future.join(opened.stream().filter(Future::succeeded).map(one -> one.result().close()).toList()));
    }
  }

  private static void await(Future<?> future) {
    future.toCompletionStage().toCompletableFuture().join();
  }

  @Override
  public CompletionStage<String> echo(String value) {
    return answer(Queries.ECHO, Tuple.of(value), rows -> rows.iterator().next().getString(0));
  }

  @Override
  public CompletionStage<List<AnalyticsRow>> analytics() {
    return answer(
        Queries.ANALYTICS,
        Tuple.tuple(),
        rows -> {
          List<AnalyticsRow> answer = new ArrayList<>(rows.size());
          for (Row row : rows) {
            answer.add(new AnalyticsRow(row.getString(0), row.getInteger(1), row.getInteger(2), row.getString(3)));
          }
          return answer;
        });
  }

  @Override
  public CompletionStage<?> ping() {
    return answer(Queries.PING, Tuple.tuple(), RowSet::size);
  }

  private <T> CompletionStage<T> answer(String sql, Tuple values, Function<RowSet<Row>, T> read) {
    return client
        .preparedQuery(sql)
        .execute(values)
        .map(read)
        .recover(error -> Future.failedFuture(fault(error)))
        .toCompletionStage();
  }

  private static DatabaseFault fault(Throwable error) {
    if (error instanceof DatabaseFault fault) return fault;
    String state = error instanceof PgException refusal ? refusal.getSqlState() : null;
    return new DatabaseFault(state, error.getMessage(), error);
  }

  @Override
  public PoolStats pool() {
    return new PoolStats(client instanceof Pool pool ? pool.size() : 1, null, null);
  }

  @Override
  public void close() {
    await(client.close());
    await(vertx.close());
  }
}
