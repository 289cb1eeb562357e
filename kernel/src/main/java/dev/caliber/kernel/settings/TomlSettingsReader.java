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

/** Reader of settings in TOML. */
final class TomlSettingsReader {
  private final TomlLines lines;
  private final SettingsSource settingsSource;

  private TomlSettingsReader(TomlLines lines, SettingsSource settingsSource) {
    this.lines = lines;
    this.settingsSource = settingsSource;
  }

  static SettingsSource parse(SettingsSource.Kind kind, String name, String toml) {
    SettingsSource settingsSource = SettingsSource.empty(kind, name, toml);
    new TomlSettingsReader(TomlLines.of(new TomlText(toml)), settingsSource).read();
    return settingsSource;
  }

  private void read() {
    var parsed = Toml.parse(lines.text());
    for (TomlParseError error : parsed.errors()) {
      settingsSource.reportSyntax(
          position(error.position(), FilePosition.START),
          "TOML",
          lines.originalMessage(String.valueOf(error.getMessage())));
    }
    flatten(parsed, List.of(), FilePosition.START);
  }

  private FilePosition position(@Nullable TomlPosition position, FilePosition otherwise) {
    return position == null ? otherwise : FilePosition.of(lines.originalPosition(position));
  }

  private void flatten(TomlTable table, List<String> path, FilePosition parent) {
    for (var entry : table.entrySet()) {
      var inner = new ArrayList<>(path);
      inner.add(entry.getKey());
      String dotted = Toml.joinKeyPath(inner);
      var filePosition = position(table.inputPositionOf(List.of(entry.getKey())), parent);
      if (entry.getValue() instanceof TomlTable nested) {
        settingsSource.tables().put(dotted, filePosition);
        flatten(nested, inner, filePosition);
      } else {
        settingsSource
            .values()
            .put(
                dotted,
                new SettingsSource.SettingsValue(plainValue(entry.getValue()), filePosition));
      }
    }
  }

  private static Object plainValue(Object value) {
    return value instanceof TomlArray array ? array.toList() : value;
  }
}
