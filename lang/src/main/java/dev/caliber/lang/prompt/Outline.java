package dev.caliber.lang.prompt;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourcePlaces;
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
final class Outline {
  /* A prompt is given to a model as it is written, so that its emphasis and links need no tree. */
  private static final Parser PARSER =
      Parser.builder()
          .includeSourceSpans(IncludeSourceSpans.BLOCKS)
          .maxOpenBlockParsers(PromptBounds.MARKDOWN_NESTING)
          .inlineParserFactory(_ -> Outline::asText)
          .build();

  private static final Pattern WHITE = Pattern.compile("\\s+");

  private final SourcePlaces places;
  private final Diagnostics diagnostics;
  private final List<Piece> pieces = new ArrayList<>();

  private boolean tooDeep;

  private Outline(SourcePlaces places, Diagnostics diagnostics) {
    this.places = places;
    this.diagnostics = diagnostics;
  }

  /** The headings and fences in their order; past a bound the rest is left out and reported. */
  static List<Piece> of(String source, SourcePlaces places, Diagnostics diagnostics) {
    var outline = new Outline(places, diagnostics);
    var document = PARSER.parse(source);
    for (var node = document.getFirstChild(); node != null; node = outline.next(node)) {
      outline.visit(node);
    }
    return outline.pieces;
  }

  private static void asText(SourceLines lines, Node block) {
    block.appendChild(new Text(lines.getContent()));
  }

  /** The next node in the order of the file, or null when there is none or it is too much. */
  private @Nullable Node next(Node node) {
    if (pieces.size() > PromptBounds.BLOCKS) {
      tooMany(pieces.removeLast());
      return null;
    }
    var child = node.getFirstChild();
    return child == null ? after(node) : child;
  }

  /** What follows a node and all that is in it. */
  private static @Nullable Node after(Node node) {
    Node at = node;
    while (at != null && at.getNext() == null) {
      at = at.getParent();
    }
    return at == null ? null : at.getNext();
  }

  private void tooMany(Piece first) {
    diagnostics.report(
        DiagnosticCode.TOO_MANY_BLOCKS,
        first.span(),
        "there are more than " + PromptBounds.BLOCKS + " headings and fenced blocks",
        "write a shorter prompt; what follows is not read");
  }

  private void visit(Node node) {
    boolean nested = !(node.getParent() instanceof Document);
    if (!tooDeep && node instanceof Block block && depth(block) > PromptBounds.MARKDOWN_NESTING) {
      tooDeep(block);
    }
    switch (node) {
      case Heading heading -> pieces.add(title(heading, nested));
      case FencedCodeBlock fence -> pieces.add(fence(fence, nested));
      default -> {}
    }
  }

  /** How many lists and quotes it is in, itself included. */
  private static int depth(Node node) {
    return (int) Stream.iterate(node, Objects::nonNull, Node::getParent).count() - 1;
  }

  /** What is deeper still was not looked at, so that a fence in it would be text. */
  private void tooDeep(Block block) {
    tooDeep = true;
    var span = block.getSourceSpans().getFirst();
    diagnostics.report(
        DiagnosticCode.NESTING_TOO_DEEP,
        places.span(span.getInputIndex(), end(span)),
        "lists and quotes are nested more than " + PromptBounds.MARKDOWN_NESTING + " levels deep",
        "write it flatter");
  }

  private Piece title(Heading heading, boolean nested) {
    String text = heading.getFirstChild() instanceof Text it ? it.getLiteral() : "";
    var first = heading.getSourceSpans().getFirst();
    var last = heading.getSourceSpans().getLast();
    var span = places.span(first.getInputIndex(), end(last));
    return new Piece.Title(
        heading.getLevel(),
        text.strip(),
        nested,
        places.start(first.getLineIndex()),
        places.start(last.getLineIndex() + 1),
        span);
  }

  private Piece fence(FencedCodeBlock fence, boolean nested) {
    var first = fence.getSourceSpans().getFirst();
    var last = fence.getSourceSpans().getLast();
    boolean closed = fence.getClosingFenceLength() != null;
    int inner = places.start(first.getLineIndex() + 1);
    int to = places.start(last.getLineIndex() + 1);
    var lines =
        new Piece.Lines(
            places.start(first.getLineIndex()),
            inner,
            closed ? places.start(last.getLineIndex()) : Math.max(inner, to),
            to);
    Span span = places.span(first.getInputIndex(), end(first));
    return new Piece.Fence(words(fence), nested, lines, closed, span);
  }

  private static List<String> words(FencedCodeBlock fence) {
    String info = fence.getInfo() == null ? "" : fence.getInfo().strip();
    return info.isEmpty() ? List.of() : List.of(WHITE.split(info));
  }

  private static int end(SourceSpan span) {
    return span.getInputIndex() + span.getLength();
  }
}
