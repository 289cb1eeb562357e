package dev.caliber.lang.pack.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tables of {@code docs/packs.md} that list every section and key. */
public final class PackKeysPageGenerator {
  private PackKeysPageGenerator() {}

  /** Returns the tables as Markdown. */
  public static String text() {
    var page = new StringBuilder();
    for (var manifestKey : Manifest.ROOT.keys()) {
      section(page, manifestKey.name(), manifestKey, manifestKey.shape());
    }
    return page.toString();
  }

  private static void section(
      StringBuilder page, String path, ManifestKey manifestKey, ValueShape valueShape) {
    switch (valueShape) {
      case ValueShape.NamedEntriesShape namedEntriesShape ->
          section(
              page,
              path + ".<" + placeholder(namedEntriesShape) + ">",
              manifestKey,
              namedEntriesShape.value());
      case ValueShape.VariantTableShape variantTableShape ->
          variantTableShape
              .groups()
              .keySet()
              .forEach(
                  word ->
                      table(
                          page,
                          path,
                          ", " + variantTableShape.discriminator().name() + " = \"" + word + "\"",
                          manifestKey,
                          variantTableShape.variant(word)));
      case ValueShape.TableShape tableShape
          when tableShape.keys().size() == 1
              && tableShape.keys().getFirst().shape() instanceof ValueShape.TableShape ->
          section(
              page,
              path + "." + tableShape.keys().getFirst().name(),
              tableShape.keys().getFirst(),
              tableShape.keys().getFirst().shape());
      case ValueShape.TableShape tableShape -> table(page, path, "", manifestKey, tableShape);
      default -> throw new IllegalStateException("expected a table, found " + path);
    }
  }

  private static String placeholder(ValueShape.NamedEntriesShape namedEntriesShape) {
    return namedEntriesShape.what().startsWith("kind of ") ? "kind" : "name";
  }

  private static void table(
      StringBuilder page,
      String path,
      String suffix,
      ManifestKey section,
      ValueShape.TableShape tableShape) {
    page.append("\n### `[").append(path).append("]`").append(suffix).append("\n\n");
    page.append(section.sentence()).append(section.required() ? " Required." : "");
    page.append("\n\n| Key | | Value | Meaning |\n|---|---|---|---|\n");
    rows("", tableShape).forEach(page::append);
  }

  private static List<String> rows(String prefix, ValueShape.TableShape tableShape) {
    var rows = new ArrayList<String>();
    for (var manifestKey : tableShape.keys()) {
      rows.add(row(prefix, manifestKey));
      inner(manifestKey.shape())
          .forEach(nested -> rows.addAll(rows(prefix + manifestKey.name() + "[].", nested)));
    }
    return rows;
  }

  private static Stream<ValueShape.TableShape> inner(ValueShape valueShape) {
    return valueShape instanceof ValueShape.ListShape(ValueShape.TableShape tableShape, _)
        ? Stream.of(tableShape)
        : Stream.empty();
  }

  private static String row(String prefix, ManifestKey manifestKey) {
    return "| `"
        + prefix
        + manifestKey.name()
        + "` | "
        + (manifestKey.required() ? "required" : "optional")
        + " | "
        + title(manifestKey.shape())
        + " | "
        + manifestKey.sentence()
        + " |\n";
  }

  private static String title(ValueShape valueShape) {
    return switch (valueShape) {
      case ValueShape.ListShape(ValueShape.TableShape _, _) -> "a list of tables";
      case ValueShape.ListShape(var item, _) -> "a list, each " + item.title();
      case ValueShape.NamedEntriesShape(_, var value) -> "a table, each value " + value.title();
      default -> valueShape.title();
    };
  }
}
