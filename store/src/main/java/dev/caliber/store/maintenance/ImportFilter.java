package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.PreparedTable;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Filter of the lines that an import accepts. A checksum is no signature: the author of a file may
 * have put an API key, a webhook or a job into it.
 */
final class ImportFilter {

  private static final String SERVER = SpaceId.SERVER.value();

  private final Set<String> include;
  private final SortedMap<String, Long> included = new TreeMap<>();
  private final SortedMap<String, Long> leftOut = new TreeMap<>();

  ImportFilter(String file, Set<String> include, DeclaredTables declaredTables) {
    Set<String> known =
        declaredTables.all().stream()
            .map(PreparedTable::table)
            .filter(Table::isImportedOnlyIfNamed)
            .map(Table::name)
            .collect(Collectors.toCollection(TreeSet::new));
    known.add(SERVER);
    for (String name : include) {
      if (!known.contains(name)) {
        throw StoreException.importRefused(
            file,
            "table '%s' cannot be named with --include: an import never leaves this table out"
                .formatted(name),
            "Name one of these tables: %s.".formatted(String.join(", ", known)));
      }
    }
    this.include = include;
  }

  /** Refuses the import if it contains a line that is never allowed. */
  void requireAllowed(String place, ImportLine<?> line) {
    Table<?> table = line.runtime().table();
    if (table.isExcludedFromExport()) {
      throw StoreException.importRefused(
          place,
          "a record of table '%s' is a secret, which no export contains".formatted(table.name()),
          "Remove the line. If the file is not your own, do not import it: no export contains such a line.");
    }
    if (line.space().equals(SpaceId.SERVER) && !include.contains(SERVER)) {
      throw StoreException.importRefused(
          place,
          "the %s '%s' belongs to the server's own space '%s', which holds API keys"
              .formatted(table.name(), line.key(), SERVER),
          "If you trust the file and want its keys to work here, add --include %s."
              .formatted(SERVER));
    }
  }

  /** Returns whether the line is accepted, and counts it for the report. */
  boolean accepts(ImportLine<?> line) {
    Table<?> table = line.runtime().table();
    boolean own = line.space().equals(SpaceId.SERVER);
    boolean byName = table.isImportedOnlyIfNamed();
    boolean taken = !byName || include.contains(table.name());
    if (own || byName) {
      String name = own ? SERVER + "/" + table.name() : table.name();
      (taken ? included : leftOut).merge(name, 1L, Long::sum);
    }
    return taken;
  }

  /** Returns by table the number of records accepted because the rules name them. */
  SortedMap<String, Long> includedCounts() {
    return included;
  }

  /** Returns by table the number of records left out because the rules do not name them. */
  SortedMap<String, Long> omittedCounts() {
    return leftOut;
  }
}
