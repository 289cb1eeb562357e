package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import java.util.Locale;

/** Reads the fenced blocks of the contract. */
final class FencedBlockReader {
  private static final String TOOL = "tool";
  private static final String JSON = "json";
  private static final String XML = "xml";
  private static final String CONTEXT = "cal.context";
  private static final String GLOBAL = "global";
  private static final List<String> WORDS = List.of(TOOL, JSON, XML, CONTEXT);

  private final TemplateExtractor templateExtractor;
  private final PromptRules rules;
  private final Diagnostics diagnostics;
  private boolean context;

  FencedBlockReader(
      TemplateExtractor templateExtractor, PromptRules rules, Diagnostics diagnostics) {
    this.templateExtractor = templateExtractor;
    this.rules = rules;
    this.diagnostics = diagnostics;
  }

  /** Returns whether the fence is not one of the contract and remains text; it may be reported. */
  boolean isText(MarkdownDivider.FenceDivider fenceDivider) {
    boolean known = WORDS.contains(fenceDivider.word());
    if (!known && rules.strictMarkdown()) {
      reportUnknown(fenceDivider);
    } else if (known && fenceDivider.nested()) {
      report(
          DiagnosticCode.MISPLACED_BLOCK,
          fenceDivider.span(),
          "a block in a list or a quote",
          "begin its lines at the margin");
    }
    if (!fenceDivider.closed()) {
      report(
          DiagnosticCode.UNCLOSED_FENCE,
          fenceDivider.span(),
          "this block has no end, and the rest is in it",
          "close it with a line of the same marks");
    }
    return !known || fenceDivider.nested() || !fenceDivider.closed();
  }

  private void reportUnknown(MarkdownDivider.FenceDivider fenceDivider) {
    report(
        DiagnosticCode.UNKNOWN_FENCE,
        fenceDivider.span(),
        fenceDivider.words().isEmpty()
            ? "a block without a word for its kind"
            : SecretScanner.quote(fenceDivider.word()) + " is not a block of a prompt",
        DiagnosticText.suggest("block", fenceDivider.word().toLowerCase(Locale.ROOT), WORDS));
  }

  /** Returns whether the block may stand in the section; a payload belongs to its tool. */
  boolean isAllowedIn(MarkdownDivider.FenceDivider fenceDivider, SectionKind kind) {
    return !rules.hasSections()
        || kind == SectionKind.USER
        || fenceDivider.words().contains(GLOBAL)
        || isPayload(fenceDivider);
  }

  private static boolean isPayload(MarkdownDivider.FenceDivider fenceDivider) {
    return fenceDivider.word().equals(JSON) || fenceDivider.word().equals(XML);
  }

  /** Reads a block of the contract into its section. */
  void read(MarkdownDivider.FenceDivider fenceDivider, SectionPartCollector parts) {
    boolean global = isGlobal(fenceDivider);
    var templateContent = templateExtractor.contentOf(fenceDivider);
    switch (fenceDivider.word()) {
      case TOOL -> readToolCall(fenceDivider, templateContent, global, parts);
      case CONTEXT -> readContextQuery(fenceDivider, templateContent, global, parts);
      case JSON -> readPayload(fenceDivider, Payload.PayloadNotation.JSON, templateContent, parts);
      default -> readPayload(fenceDivider, Payload.PayloadNotation.XML, templateContent, parts);
    }
  }

  private boolean isGlobal(MarkdownDivider.FenceDivider fenceDivider) {
    var more = fenceDivider.words().subList(1, fenceDivider.words().size());
    boolean global = more.equals(List.of(GLOBAL));
    if (isPayload(fenceDivider) && !more.isEmpty()) {
      reportUnknownWord(
          fenceDivider, more, "remove 'global': a payload belongs to the tool block before it");
    } else if (!global && !more.isEmpty()) {
      reportUnknownWord(fenceDivider, more, "only the word 'global' may follow, and only once");
    }
    return global;
  }

  private void reportUnknownWord(
      MarkdownDivider.FenceDivider fenceDivider, List<String> more, String suggestion) {
    report(
        DiagnosticCode.UNKNOWN_FENCE_WORD,
        fenceDivider.span(),
        SecretScanner.quote(String.join(" ", more)) + " follows '" + fenceDivider.word() + "'",
        suggestion);
  }

  private void readToolCall(
      MarkdownDivider.FenceDivider fenceDivider,
      TemplateExtractor.TemplateContent templateContent,
      boolean global,
      SectionPartCollector parts) {
    var references = templateContent.template().references();
    if (references.size() == 1
        && references.getFirst() instanceof Reference.SettingReference tool
        && tool.root() == Reference.ReferenceRoot.TOOLS
        && tool.text().equals(templateContent.text())) {
      parts.addCall(
          new SectionPart.PromptToolCall(
              tool, Payload.none(tool.span()), global, fenceDivider.span()));
    } else {
      parts.addBrokenCall();
      reportInvalidTool(fenceDivider, templateContent);
    }
  }

  private void reportInvalidTool(
      MarkdownDivider.FenceDivider fenceDivider,
      TemplateExtractor.TemplateContent templateContent) {
    int references = templateContent.template().references().size();
    if (references == 0 && ReferenceScanner.isOnlyReferences(templateContent.text())) {
      return; // a malformed reference there is reported elsewhere
    }
    report(
        DiagnosticCode.INVALID_TOOL_BLOCK,
        templateContent.text().isEmpty() ? fenceDivider.span() : templateContent.template().span(),
        references > 1
            ? "a tool block with " + references + " references"
            : templateContent.text().isEmpty()
                ? "a tool block without a tool"
                : SecretScanner.quote(templateContent.text()) + " is not a reference to a tool",
        "write exactly one reference to a tool, such as ${tools.prompts.search}");
  }

  private void readContextQuery(
      MarkdownDivider.FenceDivider fenceDivider,
      TemplateExtractor.TemplateContent templateContent,
      boolean global,
      SectionPartCollector parts) {
    if (context) {
      report(
          DiagnosticCode.DUPLICATE_CONTEXT,
          fenceDivider.span(),
          "a second '" + CONTEXT + "' block",
          "a prompt has at most one; put the references into the first");
    } else if (templateContent.text().isEmpty()) {
      report(
          DiagnosticCode.EMPTY_TEXT,
          fenceDivider.span(),
          "the '" + CONTEXT + "' block is empty",
          "write what to look for, such as ${INPUT:question}, or remove the block");
    } else {
      parts.add(
          new SectionPart.ContextQuery(templateContent.template(), global, fenceDivider.span()));
      if (rules.strictRefs() && !ReferenceScanner.isOnlyReferences(templateContent.text())) {
        PayloadDiagnostics.reportNotAReference(templateContent.template().span(), diagnostics);
      }
    }
    context = true;
  }

  private void readPayload(
      MarkdownDivider.FenceDivider fenceDivider,
      Payload.PayloadNotation payloadNotation,
      TemplateExtractor.TemplateContent templateContent,
      SectionPartCollector parts) {
    switch (parts.expectPayload()) {
      case NONE ->
          report(
              DiagnosticCode.PAYLOAD_WITHOUT_TOOL,
              fenceDivider.span(),
              "a payload without a tool before it in its section",
              "write a tool block above the payload, or remove the payload");
      case WITH_PAYLOAD ->
          report(
              DiagnosticCode.MULTIPLE_PAYLOADS,
              fenceDivider.span(),
              "a second payload for one tool",
              "keep one of them, or write another tool block above this one");
      case WITHOUT_PAYLOAD ->
          parts.attachPayload(new Payload(payloadNotation, templateContent.template()));
    }
    var payloadDiagnostics =
        new PayloadDiagnostics(rules.strictRefs(), templateContent.places(), diagnostics);
    switch (payloadNotation) {
      case JSON -> new JsonPayloadCheck(templateContent.text(), payloadDiagnostics).check();
      case XML -> new XmlPayloadCheck(templateContent.text(), payloadDiagnostics).check();
    }
  }

  private void report(DiagnosticCode code, Span span, String message, String suggestion) {
    diagnostics.report(code, span, message, suggestion);
  }
}
