package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.diagnostic.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.node.Block;
import org.commonmark.node.Document;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.parser.SourceLines;
import org.jspecify.annotations.Nullable;

/** Finds the headings and fences of a Markdown text. */
final class MarkdownOutlineReader {
  /* A model gets a prompt as it is written, so emphasis and links need no tree. */
  private static final Parser PARSER =
      Parser.builder()
          .includeSourceSpans(IncludeSourceSpans.BLOCKS)
          .maxOpenBlockParsers(PromptBounds.MARKDOWN_NESTING)
          .inlineParserFactory(_ -> MarkdownOutlineReader::treatAsText)
          .build();

  private static final Pattern WHITE = Pattern.compile("\\s+");

  private final SourceSpanLocator places;
  private final Diagnostics diagnostics;
  private final List<MarkdownDivider> pieces = new ArrayList<>();

  private boolean tooDeep;

  private MarkdownOutlineReader(SourceSpanLocator places, Diagnostics diagnostics) {
    this.places = places;
    this.diagnostics = diagnostics;
  }

  /** Returns the headings and fences in their order, up to a bound; more are reported. */
  static List<MarkdownDivider> read(
      String source, SourceSpanLocator places, Diagnostics diagnostics) {
    var markdownOutlineReader = new MarkdownOutlineReader(places, diagnostics);
    var document = PARSER.parse(source);
    for (var node = document.getFirstChild();
        node != null;
        node = markdownOutlineReader.nextNode(node)) {
      markdownOutlineReader.visit(node);
    }
    return markdownOutlineReader.pieces;
  }

  private static void treatAsText(SourceLines lines, Node block) {
    block.appendChild(new Text(lines.getContent()));
  }

  /** Returns the next node in the order of the file, or null at the end or beyond the bound. */
  private @Nullable Node nextNode(Node node) {
    if (pieces.size() > PromptBounds.BLOCKS) {
      reportTooMany(pieces.removeLast());
      return null;
    }
    var child = node.getFirstChild();
    return child == null ? nodeAfter(node) : child;
  }

  /** Returns the node after a node and its contents. */
  private static @Nullable Node nodeAfter(Node node) {
    Node at = node;
    while (at != null && at.getNext() == null) {
      at = at.getParent();
    }
    return at == null ? null : at.getNext();
  }

  private void reportTooMany(MarkdownDivider first) {
    diagnostics.report(
        DiagnosticCode.TOO_MANY_BLOCKS,
        first.span(),
        "there are more than " + PromptBounds.BLOCKS + " headings and fenced blocks",
        "write a shorter prompt; the rest is not read");
  }

  private void visit(Node node) {
    boolean nested = !(node.getParent() instanceof Document);
    if (!tooDeep && node instanceof Block block && depth(block) > PromptBounds.MARKDOWN_NESTING) {
      reportTooDeep(block);
    }
    switch (node) {
      case Heading heading -> pieces.add(title(heading, nested));
      case FencedCodeBlock fence -> pieces.add(fence(fence, nested));
      default -> {}
    }
  }

  /** Returns the number of lists and quotes around it, itself included. */
  private static int depth(Node node) {
    return (int) Stream.iterate(node, Objects::nonNull, Node::getParent).count() - 1;
  }

  /** Reports nesting that is too deep: a fence inside it would not be found. */
  private void reportTooDeep(Block block) {
    tooDeep = true;
    var span = block.getSourceSpans().getFirst();
    diagnostics.report(
        DiagnosticCode.NESTING_TOO_DEEP,
        places.span(span.getInputIndex(), end(span)),
        "lists and quotes are nested more than " + PromptBounds.MARKDOWN_NESTING + " levels deep",
        "write this part with fewer levels");
  }

  private MarkdownDivider title(Heading heading, boolean nested) {
    String text = heading.getFirstChild() instanceof Text it ? it.getLiteral() : "";
    var first = heading.getSourceSpans().getFirst();
    var last = heading.getSourceSpans().getLast();
    var span = places.span(first.getInputIndex(), end(last));
    return new MarkdownDivider.HeadingDivider(
        heading.getLevel(),
        text.strip(),
        nested,
        places.lineStart(first.getLineIndex()),
        places.lineStart(last.getLineIndex() + 1),
        span);
  }

  private MarkdownDivider fence(FencedCodeBlock fence, boolean nested) {
    var first = fence.getSourceSpans().getFirst();
    var last = fence.getSourceSpans().getLast();
    boolean closed = fence.getClosingFenceLength() != null;
    int inner = places.lineStart(first.getLineIndex() + 1);
    int to = places.lineStart(last.getLineIndex() + 1);
    var fenceOffsets =
        new MarkdownDivider.FenceOffsets(
            places.lineStart(first.getLineIndex()),
            inner,
            closed ? places.lineStart(last.getLineIndex()) : Math.max(inner, to),
            to);
    Span span = places.span(first.getInputIndex(), end(first));
    return new MarkdownDivider.FenceDivider(words(fence), nested, fenceOffsets, closed, span);
  }

  private static List<String> words(FencedCodeBlock fence) {
    String info = fence.getInfo() == null ? "" : fence.getInfo().strip();
    return info.isEmpty() ? List.of() : List.of(WHITE.split(info));
  }

  private static int end(SourceSpan span) {
    return span.getInputIndex() + span.getLength();
  }
}
