package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Table;
import dev.caliber.store.TableLayouts;
import dev.caliber.store.job.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The version of the store's layout, and the layout itself. */
class StoreLayoutTest {
  private static final Path KEPT =
      Path.of("src/test/resources/dev/caliber/server/store-layout.txt");

  @Test
  @DisplayName("tables that have changed raise the number that an older version refuses")
  void changedTablesRaiseTheVersion() throws IOException {
    String found = layout();
    String kept = Files.exists(KEPT) ? Files.readString(KEPT) : "";
    boolean raised = !kept.startsWith(firstLine());
    if (Boolean.getBoolean("store.layout.write") && raised) {
      Files.writeString(KEPT, found);
      kept = found;
    }
    assertThat(found)
        .as(
            "Declared tables or the records in them have changed. Raise StoreFormatV1.VERSION, then"
                + " run this test with -Dstore.layout.write=true; it writes %s, once a number.",
            KEPT)
        .isEqualTo(kept);
  }

  @Test
  @DisplayName("a changed record, column or index changes the layout of its version")
  void everyChangeIsSeen() {
    String before = TableLayouts.of(List.of(small()));
    assertThat(TableLayouts.of(List.of(small().text("name", Small::name)))).isNotEqualTo(before);
    assertThat(TableLayouts.of(List.of(small().upgrade(body -> body)))).isNotEqualTo(before);
    Table<Small> named = small().text("name", Small::name);
    assertThat(TableLayouts.of(List.of(named.index("name"))))
        .isNotEqualTo(TableLayouts.of(List.of(named)));
    assertThat(before).contains("type %s: id java.lang.String".formatted(Small.class.getName()));
  }

  private record Small(String id, String name) {}

  private static Table<Small> small() {
    return Table.of("small", "Small records.", Small.class, Small::id);
  }

  private static String firstLine() {
    return "version %d\n".formatted(TableLayouts.version());
  }

  private static String layout() {
    List<Table<?>> all =
        Stream.<Table<?>>concat(Wiring.tables().stream(), Stream.of(Jobs.TABLE)).toList();
    return firstLine() + TableLayouts.of(all);
  }
}
