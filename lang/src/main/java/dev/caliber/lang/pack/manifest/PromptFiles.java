package dev.caliber.lang.pack.manifest;

import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.prompt.ParsedPrompt;
import dev.caliber.lang.prompt.PromptKind;
import dev.caliber.lang.prompt.PromptReader;
import dev.caliber.lang.prompt.PromptRules;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The prompts of a pack, by their files. A file that is missing, or is not text, has none.
 *
 * @param agents those that agents name
 * @param tools those that tools name
 */
public record PromptFiles(Map<String, ParsedPrompt> agents, Map<String, ParsedPrompt> tools) {
  private static final Span START = new Span(1, 1, 1, 1);

  /** Reads each file once for each kind of use; reports its errors. */
  public static PromptFiles read(
      ManifestTable root, PackSource source, PackDiagnostics packDiagnostics) {
    var tools =
        root.table(Manifest.TOOLS).namedTables().stream().map(ManifestTable.NamedTable::table);
    return new PromptFiles(
        read(
            PromptKind.AGENT,
            Stream.of(root.table(Manifest.AGENTS)),
            root,
            source,
            packDiagnostics),
        read(PromptKind.TOOL, tools, root, source, packDiagnostics));
  }

  private static Map<String, ParsedPrompt> read(
      PromptKind kind,
      Stream<ManifestTable> users,
      ManifestTable root,
      PackSource source,
      PackDiagnostics packDiagnostics) {
    var rules = rules(kind, root.table(Manifest.DEFAULTS));
    var prompts = new TreeMap<String, ParsedPrompt>();
    users
        .flatMap(manifestTable -> manifestTable.namedTables().stream())
        .flatMap(namedTable -> namedTable.table().text("prompt_md").stream())
        .map(TextNode::value)
        .filter(source::has)
        .distinct()
        .forEach(
            path ->
                read(path, rules, source, packDiagnostics).ifPresent(p -> prompts.put(path, p)));
    return prompts;
  }

  private static Optional<ParsedPrompt> read(
      String path, PromptRules rules, PackSource source, PackDiagnostics packDiagnostics) {
    var text = source.text(path);
    if (text.isEmpty()) {
      packDiagnostics
          .inFile(path)
          .report(
              DiagnosticCode.NOT_TEXT, START, "the file is not UTF-8", "save it as text in UTF-8");
    }
    return text.map(content -> PromptReader.read(content, rules, packDiagnostics.inFile(path)));
  }

  /** Returns the rules; strict where the pack lacks a setting, which is reported elsewhere. */
  private static PromptRules rules(PromptKind kind, ManifestTable defaults) {
    return new PromptRules(
        kind,
        !defaults.has("strict_markdown") || defaults.isTrue("strict_markdown"),
        !defaults.has("strict_refs") || defaults.isTrue("strict_refs"));
  }
}
