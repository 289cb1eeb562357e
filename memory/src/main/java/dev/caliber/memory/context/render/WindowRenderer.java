package dev.caliber.memory.context.render;

import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.WindowSection;
import java.util.List;

/** Output format of a window. */
public interface WindowRenderer {

  /** Renders a single item, for counting. */
  RenderedItem renderItem(FilledSection filledSection, WindowItem windowItem);

  /** Renders a single item without the format's truncation. */
  default RenderedItem renderFullItem(FilledSection filledSection, WindowItem windowItem) {
    return renderItem(filledSection, windowItem);
  }

  /** Returns the frame of a section without its items. */
  String sectionFrame(WindowSection windowSection);

  /** Returns the frame that these items add to the items before them. */
  default String additionalFrame(List<WindowItem> before, List<WindowItem> added) {
    return "";
  }

  /** Returns the frame of a window without its sections. */
  String windowFrame();

  /** Renders the whole window. */
  String render(List<FilledSection> chapters);

  /** Returns a renderer for these candidates, in their order. */
  static WindowRenderer of(
      CompositionSettings compositionSettings, List<CandidateContent> ordered) {
    boolean dates = compositionSettings.dates();
    return switch (compositionSettings.format()) {
      case XML -> new XmlRenderer(dates);
      case MARKDOWN -> new MarkdownRenderer(dates);
      case OPENAI ->
          new ChatMessageRenderer(
              dates, compositionSettings.dialogueSections(), new OpenAiMessageFormat());
      case ANTHROPIC ->
          new ChatMessageRenderer(
              dates, compositionSettings.dialogueSections(), new AnthropicMessageFormat());
      case TRUST -> TrustRenderer.of(compositionSettings, ordered);
    };
  }
}
