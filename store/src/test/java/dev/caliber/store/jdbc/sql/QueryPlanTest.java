package dev.caliber.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.SchemaLayout;
import dev.caliber.store.jdbc.sqlite.SqliteDialect;
import dev.caliber.store.jdbc.sqlite.SqliteEngine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Query plans of SQLite for the statements that are derived from a declaration. */
final class QueryPlanTest {

  record Leaf(String id, String tree, long height, long place) {}

  private static final Table<Leaf> LEAVES =
      Table.of("leaf", "Leaves.", Leaf.class, Leaf::id)
          .text("tree", Leaf::tree)
          .integer("height", Leaf::height)
          .integer("place", Leaf::place)
          .index("tree", "height")
          .unique("tree", "place")
          .index("height");

  private static final Query<Leaf> OF_TREE = Query.over(LEAVES, "tree", "height").equal("oak");

  private static final Query<Leaf> IN_PLACE = Query.over(LEAVES, "tree", "place").equal("oak");

  static Stream<Query<Leaf>> queries() {
    PageCursor cursor = new PageCursor("any");
    return Stream.of(
        Query.over(LEAVES),
        Query.over(LEAVES).from("a").until("b"),
        Query.over(LEAVES).resume(cursor).descending(),
        Query.over(LEAVES, "height"),
        Query.over(LEAVES, "height").from(1).until(2).descending(),
        Query.over(LEAVES, "height").equal(3).from("a"),
        OF_TREE,
        IN_PLACE,
        IN_PLACE.from(1).resume(cursor).descending(),
        Query.over(LEAVES, "tree", "place").equal("oak", 3),
        OF_TREE.descending(),
        OF_TREE.from(1).until(9),
        OF_TREE.from(1).resume(cursor),
        OF_TREE.until(9).resume(cursor).descending(),
        Query.over(LEAVES, "tree", "height").equal("oak", 3).resume(cursor));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void everyScanWalksItsIndexWithoutSorting(Query<Leaf> query) throws SQLException {
    TableSql sql = new TableSql(LEAVES, new SqliteDialect("test"));
    assertThat(plan(sql.scanStatement(query.shape())))
        .allMatch(step -> step.startsWith("SEARCH leaf USING"))
        .noneMatch(step -> step.contains("B-TREE"));
    assertThat(plan(sql.countStatement(query.shape())))
        .allMatch(step -> step.startsWith("SEARCH leaf"));
  }

  @ParameterizedTest
  @MethodSource("keyed")
  @DisplayName("STO-20: a record is found, changed or deleted by its key through an index")
  void keysAreSearched(String statement) throws SQLException {
    assertThat(plan(statement)).allMatch(step -> step.contains("SEARCH leaf USING INDEX leaf_key"));
  }

  static Stream<String> keyed() {
    TableSql sql = new TableSql(LEAVES, new SqliteDialect("test"));
    return Stream.of(sql.select, sql.update, sql.delete);
  }

  private static List<String> plan(String statement) throws SQLException {
    SqliteEngine engine =
        SqliteEngine.inMemory(new StoreConfig.InMemorySettings(DataSize.parse("1MiB")));
    try {
      Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
      DeclaredTables declaredTables = new DeclaredTables(List.of(LEAVES), engine.dialect());
      SchemaLayout.apply(
          engine, declaredTables, clock, IdGenerator.of(clock, RandomSource.seeded(1)));
      Connection connection = engine.open(DatabaseRole.KEEPER).connection();
      List<String> steps = new ArrayList<>();
      try (Statement explain = connection.createStatement();
          ResultSet rows = explain.executeQuery("EXPLAIN QUERY PLAN " + statement)) {
        while (rows.next()) {
          steps.add(rows.getString("detail"));
        }
      }
      assertThat(steps).isNotEmpty();
      return steps;
    } finally {
      engine.close();
    }
  }
}
