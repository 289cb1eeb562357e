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
  boolean isText(MarkdownDelimiter.FenceDelimiter fenceDelimiter) {
    boolean known = WORDS.contains(fenceDelimiter.word());
    if (!known && rules.strictMarkdown()) {
      reportUnknown(fenceDelimiter);
    } else if (known && fenceDelimiter.nested()) {
      report(
          DiagnosticCode.MISPLACED_BLOCK,
          fenceDelimiter.span(),
          "a block in a list or a quote",
          "begin its lines at the margin");
    }
    if (!fenceDelimiter.closed()) {
      report(
          DiagnosticCode.UNCLOSED_FENCE,
          fenceDelimiter.span(),
          "this block has no end, and the rest is in it",
          "close it with a line of the same marks");
    }
    return !known || fenceDelimiter.nested() || !fenceDelimiter.closed();
  }

  private void reportUnknown(MarkdownDelimiter.FenceDelimiter fenceDelimiter) {
    report(
        DiagnosticCode.UNKNOWN_FENCE,
        fenceDelimiter.span(),
        fenceDelimiter.words().isEmpty()
            ? "a block without a word for its kind"
            : SecretScanner.quote(fenceDelimiter.word()) + " is not a block of a prompt",
        DiagnosticText.suggest("block", fenceDelimiter.word().toLowerCase(Locale.ROOT), WORDS));
  }

  /** Returns whether the block may stand in the section; a payload belongs to its tool. */
  boolean isAllowedIn(MarkdownDelimiter.FenceDelimiter fenceDelimiter, SectionKind kind) {
    return !rules.hasSections()
        || kind == SectionKind.USER
        || fenceDelimiter.words().contains(GLOBAL)
        || isPayload(fenceDelimiter);
  }

  private static boolean isPayload(MarkdownDelimiter.FenceDelimiter fenceDelimiter) {
    return fenceDelimiter.word().equals(JSON) || fenceDelimiter.word().equals(XML);
  }

  /** Reads a block of the contract into its section. */
  void read(MarkdownDelimiter.FenceDelimiter fenceDelimiter, SectionPartCollector parts) {
    boolean global = isGlobal(fenceDelimiter);
    var templateContent = templateExtractor.contentOf(fenceDelimiter);
    switch (fenceDelimiter.word()) {
      case TOOL -> readToolCall(fenceDelimiter, templateContent, global, parts);
      case CONTEXT -> readContextQuery(fenceDelimiter, templateContent, global, parts);
      case JSON ->
          readPayload(fenceDelimiter, Payload.PayloadNotation.JSON, templateContent, parts);
      default -> readPayload(fenceDelimiter, Payload.PayloadNotation.XML, templateContent, parts);
    }
  }

  private boolean isGlobal(MarkdownDelimiter.FenceDelimiter fenceDelimiter) {
    var more = fenceDelimiter.words().subList(1, fenceDelimiter.words().size());
    boolean global = more.equals(List.of(GLOBAL));
    if (isPayload(fenceDelimiter) && !more.isEmpty()) {
      reportUnknownWord(
          fenceDelimiter, more, "remove 'global': a payload belongs to the tool block before it");
    } else if (!global && !more.isEmpty()) {
      reportUnknownWord(fenceDelimiter, more, "only the word 'global' may follow, and only once");
    }
    return global;
  }

  private void reportUnknownWord(
      MarkdownDelimiter.FenceDelimiter fenceDelimiter, List<String> more, String suggestion) {
    report(
        DiagnosticCode.UNKNOWN_FENCE_WORD,
        fenceDelimiter.span(),
        SecretScanner.quote(String.join(" ", more)) + " follows '" + fenceDelimiter.word() + "'",
        suggestion);
  }

  private void readToolCall(
      MarkdownDelimiter.FenceDelimiter fenceDelimiter,
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
              tool, Payload.none(tool.span()), global, fenceDelimiter.span()));
    } else {
      parts.addBrokenCall();
      reportInvalidTool(fenceDelimiter, templateContent);
    }
  }

  private void reportInvalidTool(
      MarkdownDelimiter.FenceDelimiter fenceDelimiter,
      TemplateExtractor.TemplateContent templateContent) {
    int references = templateContent.template().references().size();
    if (references == 0 && ReferenceScanner.isOnlyReferences(templateContent.text())) {
      return; // a malformed reference there is reported elsewhere
    }
    report(
        DiagnosticCode.INVALID_TOOL_BLOCK,
        templateContent.text().isEmpty()
            ? fenceDelimiter.span()
            : templateContent.template().span(),
        references > 1
            ? "a tool block with " + references + " references"
            : templateContent.text().isEmpty()
                ? "a tool block without a tool"
                : SecretScanner.quote(templateContent.text()) + " is not a reference to a tool",
        "write exactly one reference to a tool, such as ${tools.prompts.search}");
  }

  private void readContextQuery(
      MarkdownDelimiter.FenceDelimiter fenceDelimiter,
      TemplateExtractor.TemplateContent templateContent,
      boolean global,
      SectionPartCollector parts) {
    if (context) {
      report(
          DiagnosticCode.DUPLICATE_CONTEXT,
          fenceDelimiter.span(),
          "a second '" + CONTEXT + "' block",
          "a prompt has at most one; put the references into the first");
    } else if (templateContent.text().isEmpty()) {
      report(
          DiagnosticCode.EMPTY_TEXT,
          fenceDelimiter.span(),
          "the '" + CONTEXT + "' block is empty",
          "write what to look for, such as ${INPUT:question}, or remove the block");
    } else {
      parts.add(
          new SectionPart.ContextQuery(templateContent.template(), global, fenceDelimiter.span()));
      if (rules.strictRefs() && !ReferenceScanner.isOnlyReferences(templateContent.text())) {
        PayloadDiagnostics.reportNotAReference(templateContent.template().span(), diagnostics);
      }
    }
    context = true;
  }

  private void readPayload(
      MarkdownDelimiter.FenceDelimiter fenceDelimiter,
      Payload.PayloadNotation payloadNotation,
      TemplateExtractor.TemplateContent templateContent,
      SectionPartCollector parts) {
    switch (parts.expectPayload()) {
      case NONE ->
          report(
              DiagnosticCode.PAYLOAD_WITHOUT_TOOL,
              fenceDelimiter.span(),
              "a payload without a tool before it in its section",
              "write a tool block above the payload, or remove the payload");
      case WITH_PAYLOAD ->
          report(
              DiagnosticCode.MULTIPLE_PAYLOADS,
              fenceDelimiter.span(),
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
