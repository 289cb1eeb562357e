package dev.caliber.memory.context;

import java.util.List;

/** One way to write a window down. */
interface Renderer {

  /** A piece alone, for counting. */
  Fragment fragment(Chapter chapter, Piece piece);

  /** The same, where a format does not show all of it: with everything. */
  default Fragment whole(Chapter chapter, Piece piece) {
    return fragment(chapter, piece);
  }

  /** What a section costs beside its pieces. */
  String frame(Section section);

  /** What is said around the sections because these pieces come to those before them. */
  default String beside(List<Piece> before, List<Piece> added) {
    return "";
  }

  /** What a window has around its sections. */
  String empty();

  /** The whole window. */
  String render(List<Chapter> chapters);

  /** For these candidates, in their order. */
  static Renderer of(Recipe recipe, List<Content> ordered) {
    boolean dates = recipe.dates();
    return switch (recipe.format()) {
      case XML -> new XmlRenderer(dates);
      case MARKDOWN -> new MarkdownRenderer(dates);
      case OPENAI -> new MessageRenderer(dates, recipe.dialogues(), new OpenAiMessages());
      case ANTHROPIC -> new MessageRenderer(dates, recipe.dialogues(), new AnthropicMessages());
      case TRUST -> TrustRenderer.of(recipe, ordered);
    };
  }
}
