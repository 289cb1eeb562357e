package dev.caliber.lang.pack;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tables of {@code docs/packs.md} that list every section and key. */
public final class PackKeysPage {
  private PackKeysPage() {}

  /** The tables as Markdown. */
  public static String text() {
    var page = new StringBuilder();
    for (var key : Manifest.ROOT.keys()) {
      section(page, key.name(), key, key.shape());
    }
    return page.toString();
  }

  private static void section(StringBuilder page, String path, Key key, Shape shape) {
    switch (shape) {
      case Shape.Named named ->
          section(page, path + ".<" + placeholder(named) + ">", key, named.value());
      case Shape.Cases cases ->
          cases
              .groups()
              .keySet()
              .forEach(
                  word ->
                      table(
                          page,
                          path,
                          ", " + cases.by().name() + " = \"" + word + "\"",
                          key,
                          cases.group(word)));
      case Shape.Group group
          when group.keys().size() == 1 && group.keys().getFirst().shape() instanceof Shape.Group ->
          section(
              page,
              path + "." + group.keys().getFirst().name(),
              group.keys().getFirst(),
              group.keys().getFirst().shape());
      case Shape.Group group -> table(page, path, "", key, group);
      default -> throw new IllegalStateException("wanted a table, found " + path);
    }
  }

  private static String placeholder(Shape.Named named) {
    return named.what().startsWith("kind of ") ? "kind" : "name";
  }

  private static void table(
      StringBuilder page, String path, String suffix, Key section, Shape.Group group) {
    page.append("\n### `[").append(path).append("]`").append(suffix).append("\n\n");
    page.append(section.sentence()).append(section.required() ? " Required." : "");
    page.append("\n\n| Key | | What it has to be | What it means |\n|---|---|---|---|\n");
    rows("", group).forEach(page::append);
  }

  private static List<String> rows(String prefix, Shape.Group group) {
    var rows = new ArrayList<String>();
    for (var key : group.keys()) {
      rows.add(row(prefix, key));
      inner(key.shape()).forEach(nested -> rows.addAll(rows(prefix + key.name() + "[].", nested)));
    }
    return rows;
  }

  private static Stream<Shape.Group> inner(Shape shape) {
    return shape instanceof Shape.Many(Shape.Group group, _) ? Stream.of(group) : Stream.empty();
  }

  private static String row(String prefix, Key key) {
    return "| `"
        + prefix
        + key.name()
        + "` | "
        + (key.required() ? "required" : "optional")
        + " | "
        + title(key.shape())
        + " | "
        + key.sentence()
        + " |\n";
  }

  private static String title(Shape shape) {
    return switch (shape) {
      case Shape.Many(Shape.Group _, _) -> "a list of tables";
      case Shape.Many(var item, _) -> "a list, each " + item.title();
      case Shape.Named(_, var value) -> "a table, each value " + value.title();
      default -> shape.title();
    };
  }
}
