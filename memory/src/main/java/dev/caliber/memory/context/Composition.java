package dev.caliber.memory.context;

import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.text.PlainReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes a window of candidates: the same recipe, candidates and counter give the same bytes. */
final class Composition {
  private static final Comparator<Piece> BY_TIME =
      Comparator.comparing((Piece piece) -> piece.content().candidate().time())
          .thenComparingLong(piece -> piece.content().candidate().position())
          .thenComparing(piece -> piece.content().candidate().id());

  private final Recipe asked;
  private final Recipe recipe;
  private final Sizes sizes;
  private final Shortener shortener;
  private final List<Piece> ordered;

  private Composition(Recipe recipe, List<Content> ordered, Sizes sizes) {
    this.asked = recipe;
    this.recipe = recipe.effective();
    this.sizes = sizes;
    this.shortener = new Shortener(PlainReader.of(recipe.text()));
    this.ordered = numbered(ordered);
  }

  static Composed of(Recipe recipe, List<Content> candidates, TokenCounter counter, Counts counts) {
    List<Content> ordered =
        new Ordering(recipe.ranking(), recipe.at(), recipe.dialogues()).of(candidates);
    Renderer renderer = Renderer.of(recipe, ordered);
    return new Composition(recipe, ordered, new Sizes(recipe.sections(), renderer, counter, counts))
        .compose();
  }

  private static List<Piece> numbered(List<Content> candidates) {
    List<Piece> pieces = new ArrayList<>();
    candidates.forEach(content -> pieces.add(Piece.whole(pieces.size() + 1, content)));
    return pieces;
  }

  /**
   * Fills; if the rendered whole is over, what made it so gets less, or nothing, and the rest is
   * filled again. Everything before that item stays as it is, so this ends.
   */
  private Composed compose() {
    Map<String, Integer> limits = new HashMap<>();
    while (true) {
      Filling filling = new Filling(asked, sizes, shortener, limits);
      filling.run(ordered);
      String text = render(filling, filling.included());
      int used = sizes.exact(text);
      if (used <= recipe.budget()) {
        return composed(filling, text, used);
      }
      limit(filling, limits);
    }
  }

  /** Takes from the first item with which the rendered whole is too long what it is over by. */
  private void limit(Filling filling, Map<String, Integer> limits) {
    List<List<Integer>> included = filling.included();
    int count = included.size();
    while (count > 1 && exact(filling, included.subList(0, count - 1)) > recipe.budget()) {
      count--;
    }
    int needed = exact(filling, included.subList(0, count));
    if (count == 0 || isSystem(filling, included.get(count - 1))) {
      throw ContextException.tooSmall(recipe.budget(), needed);
    }
    List<Piece> last =
        included.get(count - 1).stream().map(number -> filling.verdict(number).piece()).toList();
    int tokens = last.stream().mapToInt(sizes::of).sum();
    limits.put(last.getFirst().content().bundleKey(), tokens - (needed - recipe.budget()));
  }

  private static boolean isSystem(Filling filling, List<Integer> bundle) {
    return filling.verdict(bundle.getFirst()).piece().content().candidate().kind()
        == SourceKind.SYSTEM;
  }

  private int exact(Filling filling, List<List<Integer>> included) {
    return sizes.exact(render(filling, included));
  }

  private String render(Filling filling, List<List<Integer>> included) {
    return sizes.render(chapters(filling, included));
  }

  private List<Chapter> chapters(Filling filling, List<List<Integer>> included) {
    List<Piece> pieces =
        included.stream()
            .flatMap(List::stream)
            .map(number -> filling.verdict(number).piece())
            .toList();
    return recipe.sections().stream()
        .map(section -> chapter(section, pieces))
        .filter(chapter -> !chapter.pieces().isEmpty())
        .toList();
  }

  private static Chapter chapter(Section section, List<Piece> pieces) {
    return new Chapter(
        section,
        pieces.stream()
            .filter(piece -> piece.content().candidate().section().equals(section.name()))
            .sorted(section.isChronological() ? BY_TIME : Comparator.comparingInt(Piece::number))
            .toList());
  }

  private Composed composed(Filling filling, String text, int used) {
    List<LedgerLine> ledger = ordered.stream().map(piece -> line(filling, piece)).toList();
    int items = ledger.stream().mapToInt(LedgerLine::tokens).sum();
    List<SectionUse> sections =
        chapters(filling, filling.included()).stream().map(this::use).toList();
    return new Composed(text, used, used - items, ledger, sections);
  }

  private LedgerLine line(Filling filling, Piece piece) {
    Filling.Verdict verdict = filling.verdict(piece.number());
    int full = verdict.isOfTheFormat() ? sizes.full(piece) : sizes.of(piece);
    int tokens = verdict.decision().isIn() ? sizes.of(verdict.piece()) : 0;
    return new LedgerLine(
        piece.number(),
        piece.content().candidate(),
        full,
        tokens,
        verdict.decision(),
        verdict.rule(),
        verdict.reason());
  }

  private SectionUse use(Chapter chapter) {
    Section section = chapter.section();
    return new SectionUse(
        section.name(),
        section.rule(),
        section.priority(),
        chapter.pieces().stream().mapToInt(sizes::of).sum(),
        section.compressible(),
        chapter.pieces().stream().map(Composition::source).toList());
  }

  private static SectionUse.Source source(Piece piece) {
    Candidate candidate = piece.content().candidate();
    return new SectionUse.Source(
        piece.number(), candidate.kind(), candidate.id(), candidate.scores().relevance());
  }
}
