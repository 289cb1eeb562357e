package dev.caliber.memory.context;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * As messages: the conversation verbatim, everything else as XML in the system text. A result
 * stands right behind its call, whatever was said between them.
 */
final class MessageRenderer implements Renderer {
  private final XmlRenderer xml;
  private final Set<String> dialogues;
  private final MessageShape shape;
  private final String system;

  /**
   * @param dialogues the sections that are messages
   */
  MessageRenderer(boolean dates, Set<String> dialogues, MessageShape shape) {
    this.xml = new XmlRenderer(dates);
    this.dialogues = dialogues;
    this.shape = shape;
    this.system = shape.whole(xml.empty(), JsonNodeFactory.instance.arrayNode());
  }

  @Override
  public Fragment fragment(Chapter chapter, Piece piece) {
    if (chapter.section().dialogue()) {
      return new Fragment("", listed(messages(List.of(piece)).toString()));
    }
    Fragment plain =
        piece.content().candidate().kind() == SourceKind.SYSTEM
            ? new Fragment("", piece.content().body().words() + "\n\n")
            : xml.fragment(piece);
    return new Fragment(inner(plain.head()), inner(plain.rest()));
  }

  /** As it stands among others: without what begins and ends a list, and with what parts them. */
  private static String listed(String messages) {
    return messages.substring(1, messages.length() - 1) + ",";
  }

  @Override
  public String frame(Section section) {
    return section.dialogue() ? "" : inner(xml.frame(section));
  }

  @Override
  public String empty() {
    return shape.whole("", JsonNodeFactory.instance.arrayNode());
  }

  /** The system text begins with the first piece that is no message. */
  @Override
  public String beside(List<Piece> before, List<Piece> added) {
    return added.stream().anyMatch(this::isTold) && !isBegun(before) ? system : "";
  }

  /** What was told last stands at the end, as a rule. */
  private boolean isBegun(List<Piece> before) {
    return !before.isEmpty()
        && (isTold(before.getLast()) || before.stream().anyMatch(this::isTold));
  }

  private boolean isTold(Piece piece) {
    return !dialogues.contains(piece.content().candidate().section());
  }

  /** As it stands within a text of JSON. */
  static String inner(String text) {
    String quoted = Json.text(text);
    return quoted.substring(1, quoted.length() - 1);
  }

  @Override
  public String render(List<Chapter> chapters) {
    String instructions =
        chapters.stream()
            .filter(chapter -> chapter.section().kind() == SourceKind.SYSTEM)
            .flatMap(chapter -> chapter.pieces().stream())
            .map(piece -> piece.content().body().words() + "\n\n")
            .collect(Collectors.joining());
    List<Chapter> told =
        chapters.stream()
            .filter(chapter -> !chapter.section().dialogue())
            .filter(chapter -> chapter.section().kind() != SourceKind.SYSTEM)
            .toList();
    List<Piece> said =
        chapters.stream()
            .filter(chapter -> chapter.section().dialogue())
            .flatMap(chapter -> chapter.pieces().stream())
            .toList();
    return shape.whole(instructions + xml.render(told), messages(said));
  }

  private ArrayNode messages(List<Piece> pieces) {
    Map<String, Part.ToolResult> results = results(pieces);
    ArrayNode messages = JsonNodeFactory.instance.arrayNode();
    pieces.forEach(piece -> append(messages, piece, results));
    return messages;
  }

  private static Map<String, Part.ToolResult> results(List<Piece> pieces) {
    Map<String, Part.ToolResult> results = new HashMap<>();
    for (Part part : parts(pieces)) {
      if (part instanceof Part.ToolResult result) {
        results.put(result.call(), result);
      }
    }
    return results;
  }

  private static List<Part> parts(List<Piece> pieces) {
    return pieces.stream().flatMap(piece -> parts(piece).stream()).toList();
  }

  private static List<Part> parts(Piece piece) {
    return piece
        .shortened()
        .map(text -> List.of(Part.text(text)))
        .orElseGet(() -> piece.content().body().parts());
  }

  /** A result whose call is not here can only be counted alone; it is never rendered so. */
  private void append(ArrayNode messages, Piece piece, Map<String, Part.ToolResult> results) {
    List<Part> kept = new ArrayList<>();
    List<Part.ToolResult> answers = new ArrayList<>();
    for (Part part : parts(piece)) {
      switch (part) {
        case Part.ToolResult result -> {
          if (results.remove(result.call(), result)) {
            answers.add(result);
          }
        }
        case Part.ToolCall call -> {
          kept.add(call);
          Part.ToolResult answer = results.remove(call.call());
          if (answer != null) {
            answers.add(answer);
          }
        }
        case Part.Text _, Part.Data _ -> kept.add(part);
      }
    }
    Role role = piece.content().body().role().orElse(Role.USER);
    shape.append(messages, new MessageShape.Said(role, kept), answers);
  }
}
