package dev.caliber.memory.context.render;

import dev.caliber.kernel.Json;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Renderer to chat messages: the conversation verbatim, everything else as XML in the system text.
 * A tool result directly follows its call, whatever turns were between them.
 */
final class ChatMessageRenderer implements WindowRenderer {
  private final XmlRenderer xml;
  private final Set<String> dialogues;
  private final ProviderMessageFormat shape;
  private final String system;

  /**
   * @param dialogues the sections rendered as messages
   */
  ChatMessageRenderer(boolean dates, Set<String> dialogues, ProviderMessageFormat shape) {
    this.xml = new XmlRenderer(dates);
    this.dialogues = dialogues;
    this.shape = shape;
    this.system = shape.toJson(xml.windowFrame(), JsonNodeFactory.instance.arrayNode());
  }

  @Override
  public RenderedItem renderItem(FilledSection filledSection, WindowItem windowItem) {
    if (filledSection.section().dialogue()) {
      return new RenderedItem("", listElements(messages(List.of(windowItem)).toString()));
    }
    RenderedItem plain =
        windowItem.content().candidate().kind() == SourceKind.SYSTEM
            ? new RenderedItem("", windowItem.content().body().plainText() + "\n\n")
            : xml.renderItem(windowItem);
    return new RenderedItem(escapeJson(plain.head()), escapeJson(plain.rest()));
  }

  /** Returns the elements of a list without its brackets, with a trailing separator. */
  private static String listElements(String messages) {
    return messages.substring(1, messages.length() - 1) + ",";
  }

  @Override
  public String sectionFrame(WindowSection windowSection) {
    return windowSection.dialogue() ? "" : escapeJson(xml.sectionFrame(windowSection));
  }

  @Override
  public String windowFrame() {
    return shape.toJson("", JsonNodeFactory.instance.arrayNode());
  }

  /** Returns the frame of the system text for the first item that is no message. */
  @Override
  public String additionalFrame(List<WindowItem> before, List<WindowItem> added) {
    return added.stream().anyMatch(this::isSystemText) && !hasSystemText(before) ? system : "";
  }

  /** Checks the last item first, because system items usually come last. */
  private boolean hasSystemText(List<WindowItem> before) {
    return !before.isEmpty()
        && (isSystemText(before.getLast()) || before.stream().anyMatch(this::isSystemText));
  }

  private boolean isSystemText(WindowItem windowItem) {
    return !dialogues.contains(windowItem.content().candidate().section());
  }

  /** Escapes a text as the content of a JSON string. */
  static String escapeJson(String text) {
    String quoted = Json.text(text);
    return quoted.substring(1, quoted.length() - 1);
  }

  @Override
  public String render(List<FilledSection> chapters) {
    String instructions =
        chapters.stream()
            .filter(filledSection -> filledSection.section().kind() == SourceKind.SYSTEM)
            .flatMap(filledSection -> filledSection.items().stream())
            .map(windowItem -> windowItem.content().body().plainText() + "\n\n")
            .collect(Collectors.joining());
    List<FilledSection> systemSections =
        chapters.stream()
            .filter(filledSection -> !filledSection.section().dialogue())
            .filter(filledSection -> filledSection.section().kind() != SourceKind.SYSTEM)
            .toList();
    List<WindowItem> said =
        chapters.stream()
            .filter(filledSection -> filledSection.section().dialogue())
            .flatMap(filledSection -> filledSection.items().stream())
            .toList();
    return shape.toJson(instructions + xml.render(systemSections), messages(said));
  }

  private ArrayNode messages(List<WindowItem> pieces) {
    Map<String, TurnPart.ToolResultPart> results = toolResults(pieces);
    ArrayNode messages = JsonNodeFactory.instance.arrayNode();
    pieces.forEach(windowItem -> appendItem(messages, windowItem, results));
    return messages;
  }

  private static Map<String, TurnPart.ToolResultPart> toolResults(List<WindowItem> pieces) {
    Map<String, TurnPart.ToolResultPart> results = new HashMap<>();
    for (TurnPart turnPart : parts(pieces)) {
      if (turnPart instanceof TurnPart.ToolResultPart result) {
        results.put(result.call(), result);
      }
    }
    return results;
  }

  private static List<TurnPart> parts(List<WindowItem> pieces) {
    return pieces.stream().flatMap(windowItem -> parts(windowItem).stream()).toList();
  }

  private static List<TurnPart> parts(WindowItem windowItem) {
    return windowItem
        .shortenedText()
        .map(text -> List.of(TurnPart.text(text)))
        .orElseGet(() -> windowItem.content().body().parts());
  }

  /**
   * Appends the messages of a turn. A result without its call occurs only while a single item is
   * counted.
   */
  private void appendItem(
      ArrayNode messages, WindowItem windowItem, Map<String, TurnPart.ToolResultPart> results) {
    List<TurnPart> kept = new ArrayList<>();
    List<TurnPart.ToolResultPart> answers = new ArrayList<>();
    for (TurnPart turnPart : parts(windowItem)) {
      switch (turnPart) {
        case TurnPart.ToolResultPart result -> {
          if (results.remove(result.call(), result)) {
            answers.add(result);
          }
        }
        case TurnPart.ToolCallPart call -> {
          kept.add(call);
          TurnPart.ToolResultPart answer = results.remove(call.call());
          if (answer != null) {
            answers.add(answer);
          }
        }
        case TurnPart.TextPart _, TurnPart.DataPart _ -> kept.add(turnPart);
      }
    }
    TurnRole turnRole = windowItem.content().body().role().orElse(TurnRole.USER);
    shape.appendTurn(messages, new ProviderMessageFormat.TurnMessage(turnRole, kept), answers);
  }
}
