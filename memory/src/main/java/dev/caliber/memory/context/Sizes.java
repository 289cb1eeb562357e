package dev.caliber.memory.context;

import dev.caliber.memory.spi.TokenCounter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What pieces, sections and windows take, in tokens. */
final class Sizes {
  private final Renderer renderer;
  private final TokenCounter counter;
  private final Counts counts;
  private final Map<String, Chapter> chapters;
  private final Map<Integer, Integer> whole = new HashMap<>();

  Sizes(Recipe recipe, TokenCounter counter, Counts counts) {
    this.renderer = Renderer.of(recipe.format(), recipe.dates());
    this.counter = counter;
    this.counts = counts;
    this.chapters =
        recipe.sections().stream()
            .map(section -> new Chapter(section, List.of()))
            .collect(Collectors.toMap(chapter -> chapter.section().name(), Function.identity()));
  }

  /** Of a piece alone; a whole one is rendered once. */
  int of(Piece piece) {
    return piece.shortened().isPresent()
        ? rendered(piece)
        : whole.computeIfAbsent(piece.number(), _ -> rendered(piece));
  }

  private int rendered(Piece piece) {
    Chapter chapter = Objects.requireNonNull(chapters.get(piece.content().candidate().section()));
    Fragment fragment = renderer.fragment(chapter, piece);
    return counts.of(counter, fragment.head()) + counts.of(counter, fragment.rest());
  }

  /** Of what a section has around its pieces. */
  int of(Section section) {
    return counts.of(counter, renderer.frame(section));
  }

  /** Of what a window has around its sections. */
  int empty() {
    return counts.of(counter, renderer.empty());
  }

  String render(List<Chapter> window) {
    return renderer.render(window);
  }

  /** Of the whole, as it is rendered. */
  int exact(String text) {
    return counts.of(counter, text);
  }
}
