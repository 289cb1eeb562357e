package dev.caliber.lang;

import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.prompt.ParsedPrompt;
import dev.caliber.lang.prompt.PromptKind;
import dev.caliber.lang.prompt.PromptReader;
import dev.caliber.lang.prompt.PromptRules;
import dev.caliber.lang.prompt.PromptSection;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.SectionPart;
import dev.caliber.lang.prompt.Template;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A prompt and its result: {@code name.md} and {@code name.expected}. Words between points in the
 * name select the rules: {@code tool}, {@code free-markdown}, {@code free-refs}; otherwise it is an
 * agent's, and read strictly.
 */
record PromptCase(String name, String source, Path expectedFile) {

  static List<PromptCase> all() {
    return GoldenFiles.cases("prompts", ".md", PromptCase::new);
  }

  String expected() {
    return GoldenFiles.text(expectedFile);
  }

  boolean isValid() {
    return name.startsWith("valid/");
  }

  PromptRules rules() {
    return new PromptRules(
        name.contains(".tool") ? PromptKind.TOOL : PromptKind.AGENT,
        !name.contains(".free-markdown"),
        !name.contains(".free-refs"));
  }

  Diagnostics diagnostics() {
    var diagnostics = new Diagnostics("case.md");
    PromptReader.read(source, rules(), diagnostics);
    return diagnostics;
  }

  /** Returns the result as the expected file has it: diagnostics, or the prompt. */
  String described() {
    var diagnostics = new Diagnostics("case.md");
    var parsedPrompt = PromptReader.read(source, rules(), diagnostics);
    return diagnostics.size() == 0
        ? describe(parsedPrompt)
        : GoldenFiles.lines(diagnostics.sorted());
  }

  static String describe(ParsedPrompt parsedPrompt) {
    return parsedPrompt.sections().stream().map(PromptCase::section).collect(Collectors.joining())
        + "references"
        + references(parsedPrompt.references())
        + "\ninputs "
        + parsedPrompt.inputs()
        + "\n";
  }

  private static String section(PromptSection promptSection) {
    return promptSection.kind()
        + " "
        + promptSection.span()
        + "\n"
        + promptSection.parts().stream().map(PromptCase::part).collect(Collectors.joining());
  }

  private static String part(SectionPart sectionPart) {
    return switch (sectionPart) {
      case SectionPart.MarkdownText(var template) -> "  text " + template(template);
      case SectionPart.PromptToolCall(var tool, var payload, var global, var span) ->
          (global ? "  global call " : "  call ")
              + span
              + " "
              + tool.path()
              + "\n    "
              + payload.format()
              + " "
              + template(payload.template());
      case SectionPart.ContextQuery(var template, var global, var span) ->
          (global ? "  global context " : "  context ") + span + " " + template(template);
    };
  }

  private static String template(Template template) {
    return template.span() + references(template.references()) + "\n" + template.text().indent(6);
  }

  private static String references(List<Reference> references) {
    return references.stream()
        .map(reference -> " " + reference.text() + "@" + reference.span())
        .collect(Collectors.joining());
  }

  @Override
  public String toString() {
    return name;
  }
}
