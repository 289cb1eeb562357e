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

  Sizes(List<Section> sections, Renderer renderer, TokenCounter counter, Counts counts) {
    this.renderer = renderer;
    this.counter = counter;
    this.counts = counts;
    this.chapters =
        sections.stream()
            .map(section -> new Chapter(section, List.of()))
            .collect(Collectors.toMap(chapter -> chapter.section().name(), Function.identity()));
  }

  /** Of a piece alone; a whole one is rendered once. */
  int of(Piece piece) {
    return piece.shortened().isPresent()
        ? rendered(piece)
        : whole.computeIfAbsent(piece.number(), _ -> rendered(piece));
  }

  /** Of a piece alone, with what the format does not show of it. */
  int full(Piece piece) {
    return count(renderer.whole(chapter(piece), piece));
  }

  private int rendered(Piece piece) {
    return count(renderer.fragment(chapter(piece), piece));
  }

  private Chapter chapter(Piece piece) {
    return Objects.requireNonNull(chapters.get(piece.content().candidate().section()));
  }

  private int count(Fragment fragment) {
    return counts.of(counter, fragment.head()) + counts.of(counter, fragment.rest());
  }

  /** Of what a section has around its pieces. */
  int of(Section section) {
    return counts.of(counter, renderer.frame(section));
  }

  /** Of what a window says because these pieces come to those before them. */
  int beside(List<Piece> before, List<Piece> added) {
    return counts.of(counter, renderer.beside(before, added));
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
