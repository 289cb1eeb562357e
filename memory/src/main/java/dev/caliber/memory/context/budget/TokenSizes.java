package dev.caliber.memory.context.budget;

import dev.caliber.memory.context.render.FilledSection;
import dev.caliber.memory.context.render.RenderedItem;
import dev.caliber.memory.context.render.WindowItem;
import dev.caliber.memory.context.render.WindowRenderer;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.spi.TokenCounter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Token sizes of items, sections and windows. */
final class TokenSizes {
  private final WindowRenderer windowRenderer;
  private final TokenCounter counter;
  private final TokenCountCache tokenCountCache;
  private final Map<String, FilledSection> chapters;
  private final Map<Integer, Integer> whole = new HashMap<>();

  TokenSizes(
      List<WindowSection> sections,
      WindowRenderer windowRenderer,
      TokenCounter counter,
      TokenCountCache tokenCountCache) {
    this.windowRenderer = windowRenderer;
    this.counter = counter;
    this.tokenCountCache = tokenCountCache;
    this.chapters =
        sections.stream()
            .map(windowSection -> new FilledSection(windowSection, List.of()))
            .collect(
                Collectors.toMap(
                    filledSection -> filledSection.section().name(), Function.identity()));
  }

  /** Returns the tokens of one item; a complete item is rendered once. */
  int itemTokens(WindowItem windowItem) {
    return windowItem.shortenedText().isPresent()
        ? countRendered(windowItem)
        : whole.computeIfAbsent(windowItem.number(), _ -> countRendered(windowItem));
  }

  /** Returns the tokens of one item including the content that the format truncates. */
  int fullItemTokens(WindowItem windowItem) {
    return countItem(windowRenderer.renderFullItem(emptySection(windowItem), windowItem));
  }

  private int countRendered(WindowItem windowItem) {
    return countItem(windowRenderer.renderItem(emptySection(windowItem), windowItem));
  }

  private FilledSection emptySection(WindowItem windowItem) {
    return Objects.requireNonNull(chapters.get(windowItem.content().candidate().section()));
  }

  private int countItem(RenderedItem renderedItem) {
    return tokenCountCache.countTokens(counter, renderedItem.head())
        + tokenCountCache.countTokens(counter, renderedItem.rest());
  }

  /** Returns the tokens of a section without its items. */
  int sectionFrameTokens(WindowSection windowSection) {
    return tokenCountCache.countTokens(counter, windowRenderer.sectionFrame(windowSection));
  }

  /** Returns the tokens of the frame that these items add to the items before them. */
  int additionalFrameTokens(List<WindowItem> before, List<WindowItem> added) {
    return tokenCountCache.countTokens(counter, windowRenderer.additionalFrame(before, added));
  }

  /** Returns the tokens of a window without its sections. */
  int windowFrameTokens() {
    return tokenCountCache.countTokens(counter, windowRenderer.windowFrame());
  }

  String render(List<FilledSection> window) {
    return windowRenderer.render(window);
  }

  /** Returns the tokens of a rendered text. */
  int textTokens(String text) {
    return tokenCountCache.countTokens(counter, text);
  }
}
