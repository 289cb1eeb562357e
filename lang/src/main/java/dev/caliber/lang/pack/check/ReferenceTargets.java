package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.prompt.Reference;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Possible targets of references to values of a pack: tools, and single values. */
final class ReferenceTargets {
  private static final int TOOL_KEYS = 3;

  private final ParsedPack parsedPack;
  private final Map<Reference.ReferenceRoot, List<String>> known =
      new EnumMap<>(Reference.ReferenceRoot.class);

  ReferenceTargets(ParsedPack parsedPack) {
    this.parsedPack = parsedPack;
  }

  /** Reports a reference that names nothing. */
  void require(Reference.SettingReference reference, Diagnostics diagnostics) {
    if (!parsedPack.isDamaged(reference.root().word())
        && !exists(reference)
        && !isRequired(reference)) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          reference.span(),
          DiagnosticText.quote(reference.path()) + " is not in cal.toml",
          () -> DiagnosticText.suggest("value", reference.path(), targetsOf(reference.root())));
    }
  }

  private boolean exists(Reference.SettingReference reference) {
    var keys = reference.keys();
    return switch (reference.root()) {
      case META -> keys.size() == 1 && has(parsedPack.root().findTable(Manifest.META), keys);
      case AGENTS -> keys.size() == 2 && has(table(Manifest.AGENTS, keys.getFirst()), keys);
      case TOOLS -> {
        var tool =
            table(Manifest.TOOLS, String.join(".", keys.subList(0, Math.min(2, keys.size()))));
        yield tool.isPresent()
            && (keys.size() == 2 || (keys.size() == TOOL_KEYS && has(tool, keys)));
      }
    };
  }

  private Optional<ManifestTable> table(String section, String name) {
    return Optional.ofNullable(parsedPack.section(section).get(name))
        .map(ManifestTable.NamedTable::table);
  }

  private static boolean has(Optional<ManifestTable> table, List<String> keys) {
    return table
        .flatMap(found -> found.member(keys.getLast()))
        .filter(member -> isSingle(member.value()))
        .isPresent();
  }

  /** Returns whether the value is required, so that its absence is reported elsewhere. */
  private boolean isRequired(Reference.SettingReference reference) {
    var keys = reference.keys();
    return switch (reference.root()) {
      case META -> keys.size() == 1 && Manifest.isRequired(Manifest.META, keys.getLast());
      case AGENTS ->
          keys.size() == 2
              && parsedPack.section(Manifest.AGENTS).containsKey(keys.getFirst())
              && Manifest.isRequired(Manifest.AGENTS, keys.getLast());
      case TOOLS -> false;
    };
  }

  private static boolean isSingle(JsonValueNode value) {
    return !(value instanceof JsonValueNode.Members || value instanceof JsonValueNode.Items);
  }

  private List<String> targetsOf(Reference.ReferenceRoot referenceRoot) {
    return known.computeIfAbsent(referenceRoot, this::findTargets);
  }

  private List<String> findTargets(Reference.ReferenceRoot referenceRoot) {
    var section = parsedPack.root().table(referenceRoot.word());
    var tools =
        referenceRoot == Reference.ReferenceRoot.TOOLS
            ? parsedPack.section(Manifest.TOOLS).keySet()
            : List.<String>of();
    return Stream.concat(
            tools.stream().map(id -> Manifest.TOOLS + "." + id),
            paths(referenceRoot.word(), section))
        .toList();
  }

  private static Stream<String> paths(String path, ManifestTable manifestTable) {
    return manifestTable.members().members().stream()
        .flatMap(
            member ->
                member.value() instanceof JsonValueNode.Members inner
                    ? paths(path + "." + member.key().value(), new ManifestTable(inner))
                    : Stream.of(path + "." + member.key().value())
                        .filter(_ -> isSingle(member.value())));
  }
}
