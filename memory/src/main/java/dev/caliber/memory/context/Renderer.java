package dev.caliber.memory.context;

import dev.caliber.kernel.config.ContextFormat;
import java.util.List;

/** One way to write a window down. */
interface Renderer {

  /** A piece alone, for counting. */
  Fragment fragment(Chapter chapter, Piece piece);

  /** What a section costs beside its pieces. */
  String frame(Section section);

  /** What a window has around its sections. */
  String empty();

  /** The whole window. */
  String render(List<Chapter> chapters);

  static Renderer of(ContextFormat format, boolean dates) {
    return switch (format) {
      case XML -> new XmlRenderer(dates);
      case MARKDOWN -> new MarkdownRenderer(dates);
      case OPENAI -> new MessageRenderer(dates, new OpenAiMessages());
      case ANTHROPIC -> new MessageRenderer(dates, new AnthropicMessages());
    };
  }
}
