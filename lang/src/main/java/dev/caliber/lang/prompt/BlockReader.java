package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;
import java.util.List;
import java.util.Locale;

/** Reads the fenced blocks of the contract. */
final class BlockReader {
  private static final String TOOL = "tool";
  private static final String JSON = "json";
  private static final String XML = "xml";
  private static final String CONTEXT = "cal.context";
  private static final String GLOBAL = "global";
  private static final List<String> WORDS = List.of(TOOL, JSON, XML, CONTEXT);

  private final Templates templates;
  private final PromptRules rules;
  private final Diagnostics diagnostics;
  private boolean context;

  BlockReader(Templates templates, PromptRules rules, Diagnostics diagnostics) {
    this.templates = templates;
    this.rules = rules;
    this.diagnostics = diagnostics;
  }

  /** Whether the fence is none of the contract's and stays in the text; it may be reported. */
  boolean isText(Piece.Fence fence) {
    boolean known = WORDS.contains(fence.word());
    if (!known && rules.strictMarkdown()) {
      unknown(fence);
    } else if (known && fence.nested()) {
      report(
          DiagnosticCode.MISPLACED_BLOCK,
          fence.span(),
          "a block in a list or a quote",
          "begin its lines at the margin");
    }
    if (!fence.closed()) {
      report(
          DiagnosticCode.UNCLOSED_FENCE,
          fence.span(),
          "this block has no end, and the rest is in it",
          "close it with a line of the same marks");
    }
    return !known || fence.nested() || !fence.closed();
  }

  private void unknown(Piece.Fence fence) {
    report(
        DiagnosticCode.UNKNOWN_FENCE,
        fence.span(),
        fence.words().isEmpty()
            ? "a block without a word that says what it is"
            : Secrets.quote(fence.word()) + " is no block of a prompt",
        Wording.suggest("block", fence.word().toLowerCase(Locale.ROOT), WORDS));
  }

  /** Whether the block has a place to belong to; a payload belongs to its tool. */
  boolean belongs(Piece.Fence fence, SectionKind kind) {
    return !rules.sections()
        || kind == SectionKind.USER
        || fence.words().contains(GLOBAL)
        || isPayload(fence);
  }

  private static boolean isPayload(Piece.Fence fence) {
    return fence.word().equals(JSON) || fence.word().equals(XML);
  }

  /** Reads a block of the contract into its section. */
  void read(Piece.Fence fence, SectionParts parts) {
    boolean global = global(fence);
    var content = templates.inside(fence);
    switch (fence.word()) {
      case TOOL -> tool(fence, content, global, parts);
      case CONTEXT -> context(fence, content, global, parts);
      case JSON -> payload(fence, Payload.Format.JSON, content, parts);
      default -> payload(fence, Payload.Format.XML, content, parts);
    }
  }

  private boolean global(Piece.Fence fence) {
    var more = fence.words().subList(1, fence.words().size());
    boolean global = more.equals(List.of(GLOBAL));
    if (isPayload(fence) && !more.isEmpty()) {
      unknownWord(fence, more, "leave it out: a payload belongs to its tool");
    } else if (!global && !more.isEmpty()) {
      unknownWord(fence, more, "only 'global' may stand there, once");
    }
    return global;
  }

  private void unknownWord(Piece.Fence fence, List<String> more, String suggestion) {
    report(
        DiagnosticCode.UNKNOWN_FENCE_WORD,
        fence.span(),
        Secrets.quote(String.join(" ", more)) + " stands behind '" + fence.word() + "'",
        suggestion);
  }

  private void tool(
      Piece.Fence fence, Templates.Content content, boolean global, SectionParts parts) {
    var references = content.template().references();
    if (references.size() == 1
        && references.getFirst() instanceof Reference.Setting tool
        && tool.root() == Reference.Root.TOOLS
        && tool.text().equals(content.text())) {
      parts.call(new Part.ToolCall(tool, Payload.none(tool.span()), global, fence.span()));
    } else {
      parts.brokenCall();
      refuseTool(fence, content);
    }
  }

  private void refuseTool(Piece.Fence fence, Templates.Content content) {
    int references = content.template().references().size();
    if (references == 0 && References.only(content.text())) {
      return; // what is there is malformed, and that is reported
    }
    report(
        DiagnosticCode.INVALID_TOOL_BLOCK,
        content.text().isEmpty() ? fence.span() : content.template().span(),
        references > 1
            ? "a tool block with " + references + " references"
            : content.text().isEmpty()
                ? "a tool block without a tool"
                : Secrets.quote(content.text()) + " is not a reference to a tool",
        "write exactly one reference to a tool, such as ${tools.prompts.search}");
  }

  private void context(
      Piece.Fence fence, Templates.Content content, boolean global, SectionParts parts) {
    if (context) {
      report(
          DiagnosticCode.DUPLICATE_CONTEXT,
          fence.span(),
          "a second '" + CONTEXT + "' block",
          "a prompt has at most one; put the references into the first");
    } else if (content.text().isEmpty()) {
      report(
          DiagnosticCode.EMPTY_TEXT,
          fence.span(),
          "the '" + CONTEXT + "' block asks for nothing",
          "write what to look for, such as ${INPUT:question}, or leave the block out");
    } else {
      parts.add(new Part.ContextQuery(content.template(), global, fence.span()));
      if (rules.strictRefs() && !References.only(content.text())) {
        Strictness.refuse(content.template().span(), diagnostics);
      }
    }
    context = true;
  }

  private void payload(
      Piece.Fence fence, Payload.Format format, Templates.Content content, SectionParts parts) {
    switch (parts.payload()) {
      case NONE ->
          report(
              DiagnosticCode.PAYLOAD_WITHOUT_TOOL,
              fence.span(),
              "a payload without a tool before it in its section",
              "write a tool block above it, or leave it out");
      case WITH_PAYLOAD ->
          report(
              DiagnosticCode.MULTIPLE_PAYLOADS,
              fence.span(),
              "a second payload for one tool",
              "keep one of them, or write another tool block above this one");
      case WITHOUT_PAYLOAD -> parts.give(new Payload(format, content.template()));
    }
    var strictness = new Strictness(rules.strictRefs(), content.places(), diagnostics);
    switch (format) {
      case JSON -> new JsonPayload(content.text(), strictness).check();
      case XML -> new XmlPayload(content.text(), strictness).check();
    }
  }

  private void report(DiagnosticCode code, Span span, String message, String suggestion) {
    diagnostics.report(code, span, message, suggestion);
  }
}
