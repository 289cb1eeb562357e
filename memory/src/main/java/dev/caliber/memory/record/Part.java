package dev.caliber.memory.record;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** A piece of a turn, as it was said. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Part {

  /** Words. */
  @JsonTypeName("text")
  record Text(String text) implements Part {
    public Text {
      Texts.requireFilled("text of a turn", text);
    }
  }

  /**
   * An assistant asks for a tool.
   *
   * @param call names this call within its trajectory; the result names it again
   * @param arguments what the model wrote, verbatim, JSON or not
   */
  @JsonTypeName("tool_call")
  record ToolCall(String call, String tool, String arguments) implements Part {
    public ToolCall {
      Texts.requireFilled("id of a tool call", call);
      Texts.requireFilled("tool", tool);
      Texts.require("arguments of a tool call", arguments);
    }
  }

  /** What a tool answered. */
  @JsonTypeName("tool_result")
  record ToolResult(String call, String content, boolean failed) implements Part {
    public ToolResult {
      Texts.requireFilled("id of a tool call", call);
      Texts.require("content of a tool result", content);
    }
  }

  /** Anything that is not text: an image, a recording. */
  @JsonTypeName("data")
  record Data(String mediaType, Bytes content) implements Part {
    public Data {
      Texts.requireFilled("media type", mediaType);
      if (content.size() == 0) {
        throw MemoryException.empty("data of a turn");
      }
    }
  }

  static Part text(String text) {
    return new Text(text);
  }

  /** The words of it, for search and summaries. */
  default String words() {
    return switch (this) {
      case Text(var text) -> text;
      case ToolCall(_, var tool, var arguments) -> tool + "(" + arguments + ")";
      case ToolResult(_, var content, _) -> content;
      case Data _ -> "";
    };
  }

  /** How many bytes it brings, roughly as they are stored. */
  default long size() {
    return this instanceof Data(_, var content) ? content.size() : Texts.bytes(words());
  }
}
