package dev.caliber.kernel.settings;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A parsed file, laid flat: dotted path to value for what is no table, dotted path to place for
 * what is one.
 */
record Source(
    String name, Map<String, Value> values, Map<String, Place> tables, List<Problem> syntaxErrors) {
  private static final Limit LENGTH = new Limit("length of a settings file", 1 << 20);

  /**
   * A text, a long, a double, a flag or a list of such, or whatever else the file has and no
   * setting is; and where its key stands.
   */
  record Value(Object value, Place place) {}

  /** What a file of that name holds, before it is read. */
  static Source empty(String name, String text) {
    LENGTH.check(text.length());
    return new Source(name, new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
  }

  void reportSyntax(Place place, String language, String reason) {
    syntaxErrors.add(
        new Problem(place, KernelException.invalidSetting(at(place), language, reason)));
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
}
