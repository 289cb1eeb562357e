package dev.caliber.langchain4j;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.memory.view.MemoryView;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A converter between messages and turns. Texts, tool calls and results become parts of the turn,
 * so that they are found, paired and summarised. Everything that parts cannot hold (a name, images,
 * attributes, an id that two calls share) is stored beside them in LangChain4j's JSON.
 */
final class ChatMessageConverter {
  private static final String WHOLE = "application/vnd.langchain4j.message+json";
  private static final String AGAIN = "#";

  private ChatMessageConverter() {}

  static NewTurn toTurn(MemoryView view, Id trajectory, ChatMessage message) {
    List<TurnPart> parts = new ArrayList<>(toParts(view, trajectory, message));
    TurnRole turnRole = toRole(message);
    Optional<ChatMessage> back =
        parts.isEmpty() ? Optional.empty() : toMessage(turnRole, parts, toolName(message));
    if (back.filter(message::equals).isEmpty()) {
      parts.add(
          new TurnPart.DataPart(WHOLE, Bytes.of(ChatMessageSerializer.messageToJson(message))));
    }
    return NewTurn.of(turnRole, parts.toArray(TurnPart[]::new));
  }

  /** Returns the messages of a turn: one, or one for each of several tool results. */
  static List<ChatMessage> toMessages(MemoryView view, Turn turn) {
    Optional<ChatMessage> whole =
        turn.parts().stream().flatMap(turnPart -> storedMessage(turnPart).stream()).findFirst();
    if (whole.isPresent()) {
      return List.of(whole.get());
    }
    if (turn.role() != TurnRole.TOOL) {
      return toMessage(turn.role(), turn.parts(), "").stream().toList();
    }
    return turn.parts().stream()
        .flatMap(
            turnPart ->
                toMessage(TurnRole.TOOL, List.of(turnPart), toolName(view, turn, turnPart))
                    .stream())
        .toList();
  }

  private static Optional<ChatMessage> storedMessage(TurnPart turnPart) {
    return turnPart instanceof TurnPart.DataPart(var type, var content) && type.equals(WHOLE)
        ? content.text().map(ChatMessageDeserializer::messageFromJson)
        : Optional.empty();
  }

  private static TurnRole toRole(ChatMessage message) {
    return switch (message.type()) {
      case SYSTEM -> TurnRole.SYSTEM;
      case USER, CUSTOM -> TurnRole.USER;
      case AI -> TurnRole.ASSISTANT;
      case TOOL_EXECUTION_RESULT -> TurnRole.TOOL;
    };
  }

  private static List<TurnPart> toParts(MemoryView view, Id trajectory, ChatMessage message) {
    return switch (message) {
      case SystemMessage system -> textParts(system.text());
      case UserMessage user when user.hasSingleText() -> textParts(user.singleText());
      case AiMessage said -> toolCallParts(view, trajectory, said);
      case ToolExecutionResultMessage result when result.hasSingleText() ->
          List.of(toolResultPart(view, trajectory, result));
      default -> List.of();
    };
  }

  private static List<TurnPart> textParts(@org.jspecify.annotations.Nullable String text) {
    return text == null || text.isBlank() ? List.of() : List.of(TurnPart.text(text));
  }

  private static List<TurnPart> toolCallParts(MemoryView view, Id trajectory, AiMessage said) {
    List<TurnPart> parts = new ArrayList<>(textParts(said.text()));
    List<String> used = new ArrayList<>();
    for (ToolExecutionRequest request : said.toolExecutionRequests()) {
      String id =
          unusedCallId(view, trajectory, callIdOrToolName(request.id(), request.name()), used);
      used.add(id);
      String arguments = request.arguments() == null ? "" : request.arguments();
      parts.add(new TurnPart.ToolCallPart(id, request.name(), arguments));
    }
    return parts;
  }

  /** Returns the call's id, or the tool's name for models that send no id. */
  private static String callIdOrToolName(
      @org.jspecify.annotations.Nullable String id, String tool) {
    return id == null || id.isBlank() ? tool : id;
  }

  /** Returns the id, or an unused variant: models reuse ids, memory does not. */
  private static String unusedCallId(MemoryView view, Id trajectory, String id, List<String> used) {
    String free = id;
    for (int again = 2;
        used.contains(free) || view.toolExchange(trajectory, free).isPresent();
        again++) {
      free = id + AGAIN + again;
    }
    return free;
  }

  /**
   * Converts a tool result to the answer of the open call with its id, or to text if there is none.
   */
  private static TurnPart toolResultPart(
      MemoryView view, Id trajectory, ToolExecutionResultMessage result) {
    String id = callIdOrToolName(result.id(), result.toolName());
    boolean failed = Boolean.TRUE.equals(result.isError());
    return view.openCalls(trajectory).stream()
        .map(ToolExchange::call)
        .filter(call -> call.equals(id) || call.startsWith(id + AGAIN))
        .findFirst()
        .<TurnPart>map(call -> new TurnPart.ToolResultPart(call, result.text(), failed))
        .orElseGet(() -> TurnPart.text(result.text().isBlank() ? id : result.text()));
  }

  private static String toolName(ChatMessage message) {
    return message instanceof ToolExecutionResultMessage result ? result.toolName() : "";
  }

  private static String toolName(MemoryView view, Turn turn, TurnPart turnPart) {
    return turnPart instanceof TurnPart.ToolResultPart(var call, _, _)
        ? view.toolExchange(turn.trajectory(), call).map(ToolExchange::tool).orElse("")
        : "";
  }

  /** Converts the parts to one message, if they form one. */
  private static Optional<ChatMessage> toMessage(
      TurnRole turnRole, List<TurnPart> parts, String tool) {
    String words = joinedText(parts);
    return switch (turnRole) {
      case SYSTEM -> Optional.of(words).filter(text -> !text.isEmpty()).map(SystemMessage::from);
      case USER -> Optional.of(words).filter(text -> !text.isEmpty()).map(UserMessage::from);
      case ASSISTANT -> Optional.of(assistantMessage(words, parts));
      case TOOL ->
          parts.stream()
              .flatMap(turnPart -> toolResultMessage(turnPart, tool).stream())
              .findFirst();
    };
  }

  private static String joinedText(List<TurnPart> parts) {
    StringBuilder words = new StringBuilder();
    for (TurnPart turnPart : parts) {
      if (turnPart instanceof TurnPart.TextPart(var text)) {
        words.append(words.isEmpty() ? "" : "\n").append(text);
      }
    }
    return words.toString();
  }

  private static ChatMessage assistantMessage(String words, List<TurnPart> parts) {
    List<ToolExecutionRequest> requests = new ArrayList<>();
    for (TurnPart turnPart : parts) {
      if (turnPart instanceof TurnPart.ToolCallPart(var id, var name, var arguments)) {
        requests.add(ToolExecutionRequest.builder().id(id).name(name).arguments(arguments).build());
      }
    }
    if (requests.isEmpty()) {
      return AiMessage.from(words);
    }
    return words.isEmpty() ? AiMessage.from(requests) : AiMessage.from(words, requests);
  }

  private static Optional<ChatMessage> toolResultMessage(TurnPart turnPart, String tool) {
    return switch (turnPart) {
      case TurnPart.ToolResultPart(var call, var content, var failed) ->
          Optional.of(
              failed
                  ? ToolExecutionResultMessage.builder()
                      .id(call)
                      .toolName(tool)
                      .text(content)
                      .isError(true)
                      .build()
                  : ToolExecutionResultMessage.from(call, tool, content));
      case TurnPart.TextPart _, TurnPart.ToolCallPart _, TurnPart.DataPart _ -> Optional.empty();
    };
  }
}
