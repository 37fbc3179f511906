package pglab;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** Answers echo with its value, and analytics with two rows; `failure`, when set, is what every question meets. */
final class FakeDatabase implements Database {
  RuntimeException failure;
  CompletableFuture<String> later; // echo's answer, when it is not to come at once
  final CountDownLatch asked = new CountDownLatch(1); // echo was asked

  @Override
  public CompletionStage<String> echo(String value) {
    asked.countDown();
    if (failure != null) throw failure;
    return later != null ? later : CompletableFuture.completedFuture(value);
  }

  @Override
  public CompletionStage<List<AnalyticsRow>> analytics() {
    List<AnalyticsRow> rows = List.of(new AnalyticsRow("F", 1992, 3, "10.50"), new AnalyticsRow("O", 1993, 1, "0.01"));
    return failure != null ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(rows);
  }

  @Override
  public CompletionStage<?> ping() {
    return failure != null ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(1);
  }

  @Override
  public PoolStats pool() {
    return new PoolStats(10, 9, 0);
  }

  @Override
  public void close() {}
}
