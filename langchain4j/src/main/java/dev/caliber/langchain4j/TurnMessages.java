package dev.caliber.langchain4j;

import dev.caliber.kernel.Id;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Turn;
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
 * Turns messages into turns and back. Words, tool calls and results become parts of the turn, so
 * that they are found, paired and summarised; what parts cannot say (a name, images, attributes, an
 * id that two calls share) is kept beside them as LangChain4j writes it.
 */
final class TurnMessages {
  private static final String WHOLE = "application/vnd.langchain4j.message+json";
  private static final String AGAIN = "#";

  private TurnMessages() {}

  static NewTurn turn(MemoryView view, Id trajectory, ChatMessage message) {
    List<Part> parts = new ArrayList<>(parts(view, trajectory, message));
    Role role = role(message);
    Optional<ChatMessage> back =
        parts.isEmpty() ? Optional.empty() : plain(role, parts, tool(message));
    if (back.filter(message::equals).isEmpty()) {
      parts.add(new Part.Data(WHOLE, Bytes.of(ChatMessageSerializer.messageToJson(message))));
    }
    return NewTurn.of(role, parts.toArray(Part[]::new));
  }

  /** The messages that a turn stands for: one, or one for each of several results. */
  static List<ChatMessage> of(MemoryView view, Turn turn) {
    Optional<ChatMessage> whole =
        turn.parts().stream().flatMap(part -> whole(part).stream()).findFirst();
    if (whole.isPresent()) {
      return List.of(whole.get());
    }
    if (turn.role() != Role.TOOL) {
      return plain(turn.role(), turn.parts(), "").stream().toList();
    }
    return turn.parts().stream()
        .flatMap(part -> plain(Role.TOOL, List.of(part), tool(view, turn, part)).stream())
        .toList();
  }

  private static Optional<ChatMessage> whole(Part part) {
    return part instanceof Part.Data(var type, var content) && type.equals(WHOLE)
        ? content.text().map(ChatMessageDeserializer::messageFromJson)
        : Optional.empty();
  }

  private static Role role(ChatMessage message) {
    return switch (message.type()) {
      case SYSTEM -> Role.SYSTEM;
      case USER, CUSTOM -> Role.USER;
      case AI -> Role.ASSISTANT;
      case TOOL_EXECUTION_RESULT -> Role.TOOL;
    };
  }

  private static List<Part> parts(MemoryView view, Id trajectory, ChatMessage message) {
    return switch (message) {
      case SystemMessage system -> text(system.text());
      case UserMessage user when user.hasSingleText() -> text(user.singleText());
      case AiMessage said -> calls(view, trajectory, said);
      case ToolExecutionResultMessage result when result.hasSingleText() ->
          List.of(result(view, trajectory, result));
      default -> List.of();
    };
  }

  private static List<Part> text(@org.jspecify.annotations.Nullable String text) {
    return text == null || text.isBlank() ? List.of() : List.of(Part.text(text));
  }

  private static List<Part> calls(MemoryView view, Id trajectory, AiMessage said) {
    List<Part> parts = new ArrayList<>(text(said.text()));
    List<String> used = new ArrayList<>();
    for (ToolExecutionRequest request : said.toolExecutionRequests()) {
      String id = free(view, trajectory, name(request.id(), request.name()), used);
      used.add(id);
      String arguments = request.arguments() == null ? "" : request.arguments();
      parts.add(new Part.ToolCall(id, request.name(), arguments));
    }
    return parts;
  }

  /** Some models name no call; then its tool does. */
  private static String name(@org.jspecify.annotations.Nullable String id, String tool) {
    return id == null || id.isBlank() ? tool : id;
  }

  /** Models use an id again; memory does not. */
  private static String free(MemoryView view, Id trajectory, String id, List<String> used) {
    String free = id;
    for (int again = 2;
        used.contains(free) || view.toolExchange(trajectory, free).isPresent();
        again++) {
      free = id + AGAIN + again;
    }
    return free;
  }

  /** A result answers the open call of its id; without one it is text, and nothing is lost. */
  private static Part result(MemoryView view, Id trajectory, ToolExecutionResultMessage result) {
    String id = name(result.id(), result.toolName());
    boolean failed = Boolean.TRUE.equals(result.isError());
    return view.openCalls(trajectory).stream()
        .map(ToolExchange::call)
        .filter(call -> call.equals(id) || call.startsWith(id + AGAIN))
        .findFirst()
        .<Part>map(call -> new Part.ToolResult(call, result.text(), failed))
        .orElseGet(() -> Part.text(result.text().isBlank() ? id : result.text()));
  }

  private static String tool(ChatMessage message) {
    return message instanceof ToolExecutionResultMessage result ? result.toolName() : "";
  }

  private static String tool(MemoryView view, Turn turn, Part part) {
    return part instanceof Part.ToolResult(var call, _, _)
        ? view.toolExchange(turn.trajectory(), call).map(ToolExchange::tool).orElse("")
        : "";
  }

  /** The message that the parts say, if they say one. */
  private static Optional<ChatMessage> plain(Role role, List<Part> parts, String tool) {
    String words = words(parts);
    return switch (role) {
      case SYSTEM -> Optional.of(words).filter(text -> !text.isEmpty()).map(SystemMessage::from);
      case USER -> Optional.of(words).filter(text -> !text.isEmpty()).map(UserMessage::from);
      case ASSISTANT -> Optional.of(assistant(words, parts));
      case TOOL -> parts.stream().flatMap(part -> answer(part, tool).stream()).findFirst();
    };
  }

  private static String words(List<Part> parts) {
    StringBuilder words = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Part.Text(var text)) {
        words.append(words.isEmpty() ? "" : "\n").append(text);
      }
    }
    return words.toString();
  }

  private static ChatMessage assistant(String words, List<Part> parts) {
    List<ToolExecutionRequest> requests = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.ToolCall(var id, var name, var arguments)) {
        requests.add(ToolExecutionRequest.builder().id(id).name(name).arguments(arguments).build());
      }
    }
    if (requests.isEmpty()) {
      return AiMessage.from(words);
    }
    return words.isEmpty() ? AiMessage.from(requests) : AiMessage.from(words, requests);
  }

  private static Optional<ChatMessage> answer(Part part, String tool) {
    return switch (part) {
      case Part.ToolResult(var call, var content, var failed) ->
          Optional.of(
              failed
                  ? ToolExecutionResultMessage.builder()
                      .id(call)
                      .toolName(tool)
                      .text(content)
                      .isError(true)
                      .build()
                  : ToolExecutionResultMessage.from(call, tool, content));
      case Part.Text _, Part.ToolCall _, Part.Data _ -> Optional.empty();
    };
  }
}
