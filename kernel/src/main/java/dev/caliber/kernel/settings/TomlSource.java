package dev.caliber.kernel.settings;

import dev.caliber.kernel.toml.TomlLines;
import dev.caliber.kernel.toml.TomlText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** Reads settings that are written in TOML. */
final class TomlSource {
  private final TomlLines lines;
  private final Source source;

  private TomlSource(TomlLines lines, Source source) {
    this.lines = lines;
    this.source = source;
  }

  static Source parse(String name, String toml) {
    Source source = Source.empty(name, toml);
    new TomlSource(TomlLines.of(new TomlText(toml)), source).read();
    return source;
  }

  private void read() {
    var parsed = Toml.parse(lines.text());
    for (TomlParseError error : parsed.errors()) {
      source.reportSyntax(
          place(error.position(), Place.START),
          "TOML",
          lines.original(String.valueOf(error.getMessage())));
    }
    flatten(parsed, List.of(), Place.START);
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
        source.tables().put(dotted, place);
        flatten(nested, inner, place);
      } else {
        source.values().put(dotted, new Source.Value(plain(entry.getValue()), place));
      }
    }
  }

  private static Object plain(Object value) {
    return value instanceof TomlArray array ? array.toList() : value;
  }
}
