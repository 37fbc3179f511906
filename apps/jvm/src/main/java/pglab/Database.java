package pglab;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What a target asks of PostgreSQL, answered now (a blocking driver: the stage is complete when the method returns) or
 * later (an asynchronous one). Failures are a DatabaseFault, thrown or in the stage.
 */
interface Database extends AutoCloseable {
  /** One row of the analytics question; total is exact text with two decimals. */
  record AnalyticsRow(String status, int year, int orders, String total) {}

  /** Connections open, connections unused, requests that wait for one; null: the driver does not tell. */
  record PoolStats(Integer total, Integer idle, Integer waiting) {}

  CompletionStage<String> echo(String value);

  CompletionStage<List<AnalyticsRow>> analytics();

  CompletionStage<?> ping();

  PoolStats pool();

  @Override
  void close();
}
