package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.syntax.JsonValueNode;
import java.util.List;
import java.util.stream.Stream;

/** What references to values of a pack can name: tools, and single values. */
final class Settings {
  private static final int TOOL_KEYS = 2;

  private final Document document;

  Settings(Document document) {
    this.document = document;
  }

  /** Reports a reference that names nothing. */
  void require(Reference.Setting reference, Diagnostics diagnostics) {
    if (!document.damaged() && !exists(reference)) {
      diagnostics.report(
          DiagnosticCode.UNKNOWN_REFERENCE,
          reference.span(),
          Wording.quote(reference.path()) + " is not in cal.toml",
          () -> Wording.suggest("value", reference.path(), known(reference.root())));
    }
  }

  private boolean exists(Reference.Setting reference) {
    var keys = reference.keys();
    if (reference.root() == Reference.Root.TOOLS && keys.size() == TOOL_KEYS) {
      return document.section(Manifest.TOOLS).containsKey(String.join(".", keys));
    }
    var table = document.root().table(reference.root().word());
    for (String key : keys.subList(0, keys.size() - 1)) {
      table = table.table(key);
    }
    return table.member(keys.getLast()).filter(member -> isSingle(member.value())).isPresent();
  }

  private static boolean isSingle(JsonValueNode value) {
    return !(value instanceof JsonValueNode.Members || value instanceof JsonValueNode.Items);
  }

  private List<String> known(Reference.Root root) {
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
