package pglab;

/** The very texts of apps/lib/queries.js, the one source of the SQL that targets ask; QueriesTest holds them equal. */
final class Queries {
  /** $1 text; one row: value text. */
  static final String ECHO = "select $1::text as value";

  /** Rows of status text, year int, orders int, total text (two decimals). */
  static final String ANALYTICS =
      """
      select o_orderstatus as status, extract(year from o_orderdate)::int as year,
        count(*)::int as orders, sum(o_totalprice)::text as total
      from orders group by 1, 2 order by 1, 2""";

  /** The cheapest question that proves the database answers. */
  static final String PING = "select 1";

  private Queries() {}
}
