package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.toml.TomlLines;
import dev.caliber.kernel.toml.TomlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * A parsed file, laid flat: dotted path to value for what is no table, dotted path to place for
 * what is one.
 */
record Source(
    String name,
    TomlLines lines,
    Map<String, Value> values,
    Map<String, Place> tables,
    List<Problem> syntaxErrors) {
  private static final Limit LENGTH = new Limit("length of a settings file", 1 << 20);

  /** A value as the parser gives it, and where its key stands. */
  record Value(Object value, Place place) {}

  static Source parse(String name, String toml) {
    LENGTH.check(toml.length());
    var lines = TomlLines.of(new TomlText(toml));
    var parsed = Toml.parse(lines.text());
    var source =
        new Source(name, lines, new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
    for (TomlParseError error : parsed.errors()) {
      var place = source.place(error.position(), Place.START);
      String reason = lines.original(String.valueOf(error.getMessage()));
      source.syntaxErrors.add(
          new Problem(place, KernelException.invalidSetting(source.at(place), "TOML", reason)));
    }
    source.flatten(parsed, List.of(), Place.START);
    return source;
  }

  /** The place as file:line:column. */
  String at(Place place) {
    return name + ":" + place.line() + ":" + place.column();
  }

  Optional<Value> find(String path) {
    return Optional.ofNullable(values.get(path));
  }

  /** The keys that stand directly in the table. */
  List<String> keysIn(String table) {
    String prefix = table + ".";
    return values.keySet().stream()
        .filter(path -> path.startsWith(prefix))
        .map(path -> path.substring(prefix.length()))
        .filter(key -> key.indexOf('.') < 0)
        .toList();
  }

  /** Where the innermost table stands that the path lies in and that the file has. */
  Place enclosing(String path) {
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      Place place = tables.get(path.substring(0, dot));
      if (place != null) {
        return place;
      }
    }
    return Place.START;
  }

  private Place place(@Nullable TomlPosition position, Place otherwise) {
    return position == null ? otherwise : Place.of(lines.original(position));
  }

  private void flatten(TomlTable table, List<String> path, Place parent) {
    for (var entry : table.entrySet()) {
      var inner = new ArrayList<>(path);
      inner.add(entry.getKey());
      String dotted = Toml.joinKeyPath(inner);
      var place = place(table.inputPositionOf(List.of(entry.getKey())), parent);
      if (entry.getValue() instanceof TomlTable nested) {
        tables.put(dotted, place);
        flatten(nested, inner, place);
      } else {
        values.put(dotted, new Value(entry.getValue(), place));
      }
    }
  }
}
