package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.prompt.Prompt;
import dev.caliber.lang.prompt.PromptKind;
import dev.caliber.lang.prompt.PromptReader;
import dev.caliber.lang.prompt.PromptRules;
import dev.caliber.lang.syntax.Text;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The prompts of a pack, by their files. A file that is not there, or is no text, has none.
 *
 * @param agents those that agents name
 * @param tools those that tools name
 */
record Prompts(Map<String, Prompt> agents, Map<String, Prompt> tools) {
  private static final Span START = new Span(1, 1, 1, 1);

  /** Reads each file once for each kind of use; what is wrong in it is reported. */
  static Prompts read(Table root, PackSource source, Findings findings) {
    var tools = root.table(Manifest.TOOLS).entries().stream().map(Table.Entry::table);
    return new Prompts(
        read(PromptKind.AGENT, Stream.of(root.table(Manifest.AGENTS)), root, source, findings),
        read(PromptKind.TOOL, tools, root, source, findings));
  }

  private static Map<String, Prompt> read(
      PromptKind kind, Stream<Table> users, Table root, PackSource source, Findings findings) {
    var rules = rules(kind, root.table(Manifest.DEFAULTS));
    var prompts = new TreeMap<String, Prompt>();
    users
        .flatMap(table -> table.entries().stream())
        .flatMap(entry -> entry.table().text("prompt_md").stream())
        .map(Text::value)
        .filter(source::has)
        .distinct()
        .forEach(path -> read(path, rules, source, findings).ifPresent(p -> prompts.put(path, p)));
    return prompts;
  }

  private static Optional<Prompt> read(
      String path, PromptRules rules, PackSource source, Findings findings) {
    var text = source.text(path);
    if (text.isEmpty()) {
      findings
          .in(path)
          .report(
              DiagnosticCode.NOT_TEXT, START, "the file is not UTF-8", "save it as text in UTF-8");
    }
    return text.map(content -> PromptReader.read(content, rules, findings.in(path)));
  }

  /** Strict unless the pack says otherwise: what it does not say was complained of already. */
  private static PromptRules rules(PromptKind kind, Table defaults) {
    return new PromptRules(
        kind,
        !defaults.has("strict_markdown") || defaults.is("strict_markdown"),
        !defaults.has("strict_refs") || defaults.is("strict_refs"));
  }
}
