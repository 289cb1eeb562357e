package dev.caliber.store;

import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** The tables and the types of their records as text: the complete layout of a store. */
public final class TableLayouts {
  private static final String OURS = "dev.caliber.";

  private final TreeMap<String, String> types = new TreeMap<>();

  private TableLayouts() {}

  /** The version of the layout. */
  public static int version() {
    return StoreFormatV1.VERSION;
  }

  /** Returns a line for each table and each type of its records. */
  public static String of(List<Table<?>> tables) {
    TableLayouts layouts = new TableLayouts();
    TreeMap<String, String> lines = new TreeMap<>();
    for (Table<?> table : tables) {
      layouts.add(table.type());
      lines.put(table.name(), line(table));
    }
    lines.values().forEach(line -> layouts.types.put("0 " + line, line));
    return String.join("\n", layouts.types.values()) + "\n";
  }

  private static String line(Table<?> table) {
    return "table %s: %s, schema %d, columns %s, indexes %s"
        .formatted(
            table.name(),
            table.type().getName(),
            table.schema(),
            RegisteredTable.of(table).columns(),
            table.indexes().stream()
                .map(tableIndex -> (tableIndex.unique() ? "unique " : "") + tableIndex.columns())
                .toList());
  }

  private void add(Type type) {
    switch (type) {
      case Class<?> known -> addClass(known);
      case ParameterizedType generic -> {
        add(generic.getRawType());
        Arrays.stream(generic.getActualTypeArguments()).forEach(this::add);
      }
      case WildcardType any -> Arrays.stream(any.getUpperBounds()).forEach(this::add);
      default -> {}
    }
  }

  private void addClass(Class<?> type) {
    if (type.isArray()) {
      add(type.getComponentType());
    }
    if (!type.getName().startsWith(OURS) || types.containsKey(type.getName())) {
      return;
    }
    List<String> parts = new ArrayList<>();
    types.put(type.getName(), "");
    if (type.isRecord()) {
      for (RecordComponent part : type.getRecordComponents()) {
        parts.add(part.getName() + " " + part.getGenericType().getTypeName());
        add(part.getGenericType());
      }
    } else if (type.isEnum()) {
      Arrays.stream(type.getEnumConstants()).map(String::valueOf).forEach(parts::add);
    } else if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        parts.add(permitted.getName());
        add(permitted);
      }
    }
    types.put(type.getName(), "type %s: %s".formatted(type.getName(), String.join(", ", parts)));
  }
}
