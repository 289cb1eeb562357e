package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.syntax.JsonValueNode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What references to values of a pack can name: tools, and single values. */
final class Settings {
  private static final int TOOL_KEYS = 3;

  private final Document document;
  private final Map<Reference.Root, List<String>> known = new EnumMap<>(Reference.Root.class);

  Settings(Document document) {
    this.document = document;
  }

  /** Reports a reference that names nothing. */
  void require(Reference.Setting reference, Diagnostics diagnostics) {
    if (!document.isLost(reference.root().word()) && !exists(reference) && !isDue(reference)) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          reference.span(),
          Wording.quote(reference.path()) + " is not in cal.toml",
          () -> Wording.suggest("value", reference.path(), known(reference.root())));
    }
  }

  private boolean exists(Reference.Setting reference) {
    var keys = reference.keys();
    return switch (reference.root()) {
      case META -> keys.size() == 1 && has(document.root().find(Manifest.META), keys);
      case AGENTS -> keys.size() == 2 && has(table(Manifest.AGENTS, keys.getFirst()), keys);
      case TOOLS -> {
        var tool =
            table(Manifest.TOOLS, String.join(".", keys.subList(0, Math.min(2, keys.size()))));
        yield tool.isPresent()
            && (keys.size() == 2 || (keys.size() == TOOL_KEYS && has(tool, keys)));
      }
    };
  }

  private Optional<Table> table(String section, String name) {
    return Optional.ofNullable(document.section(section).get(name)).map(Table.Entry::table);
  }

  private static boolean has(Optional<Table> table, List<String> keys) {
    return table
        .flatMap(found -> found.member(keys.getLast()))
        .filter(member -> isSingle(member.value()))
        .isPresent();
  }

  /** Whether the value has to be there, so that its absence was complained of. */
  private boolean isDue(Reference.Setting reference) {
    var keys = reference.keys();
    return switch (reference.root()) {
      case META -> keys.size() == 1 && Manifest.isRequired(Manifest.META, keys.getLast());
      case AGENTS ->
          keys.size() == 2
              && document.section(Manifest.AGENTS).containsKey(keys.getFirst())
              && Manifest.isRequired(Manifest.AGENTS, keys.getLast());
      case TOOLS -> false;
    };
  }

  private static boolean isSingle(JsonValueNode value) {
    return !(value instanceof JsonValueNode.Members || value instanceof JsonValueNode.Items);
  }

  private List<String> known(Reference.Root root) {
    return known.computeIfAbsent(root, this::find);
  }

  private List<String> find(Reference.Root root) {
    var section = document.root().table(root.word());
    var tools =
        root == Reference.Root.TOOLS
            ? document.section(Manifest.TOOLS).keySet()
            : List.<String>of();
    return Stream.concat(
            tools.stream().map(id -> Manifest.TOOLS + "." + id), paths(root.word(), section))
        .toList();
  }

  private static Stream<String> paths(String path, Table table) {
    return table.members().members().stream()
        .flatMap(
            member ->
                member.value() instanceof JsonValueNode.Members inner
                    ? paths(path + "." + member.key().value(), new Table(inner))
                    : Stream.of(path + "." + member.key().value())
                        .filter(_ -> isSingle(member.value())));
  }
}
