package dev.caliber.memory.record;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** Part of a turn, verbatim. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface TurnPart {

  /** Text. */
  @JsonTypeName("text")
  record TextPart(String text) implements TurnPart {
    public TextPart {
      TextChecks.requireNotBlank("text of a turn", text);
    }
  }

  /**
   * Tool call of an assistant.
   *
   * @param call id of the call within its trajectory; the result refers to it
   * @param arguments what the model wrote, verbatim, JSON or not
   */
  @JsonTypeName("tool_call")
  record ToolCallPart(String call, String tool, String arguments) implements TurnPart {
    public ToolCallPart {
      TextChecks.requireNotBlank("id of a tool call", call);
      TextChecks.requireNotBlank("tool", tool);
      TextChecks.requireStorable("arguments of a tool call", arguments);
    }
  }

  /** Result of a tool call. */
  @JsonTypeName("tool_result")
  record ToolResultPart(String call, String content, boolean failed) implements TurnPart {
    public ToolResultPart {
      TextChecks.requireNotBlank("id of a tool call", call);
      TextChecks.requireStorable("content of a tool result", content);
    }
  }

  /** Content that is not text: an image, a recording. */
  @JsonTypeName("data")
  record DataPart(String mediaType, Bytes content) implements TurnPart {
    public DataPart {
      TextChecks.requireNotBlank("media type", mediaType);
      if (content.size() == 0) {
        throw MemoryException.empty("data of a turn");
      }
    }
  }

  static TurnPart text(String text) {
    return new TextPart(text);
  }

  /** Returns the text for search and summaries. */
  default String searchableText() {
    return switch (this) {
      case TextPart(var text) -> text;
      case ToolCallPart(_, var tool, var arguments) -> tool + "(" + arguments + ")";
      case ToolResultPart(_, var content, _) -> content;
      case DataPart _ -> "";
    };
  }

  /** Returns the approximate size in stored bytes. */
  default long byteSize() {
    return this instanceof DataPart(_, var content)
        ? content.size()
        : TextChecks.utf8Length(searchableText());
  }
}
