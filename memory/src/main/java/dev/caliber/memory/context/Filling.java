package dev.caliber.memory.context;

import dev.caliber.kernel.config.PcpConfig.Dosage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One pass over the ordered candidates: each gets room or a reason. Tokens are those of the pieces
 * alone; whether the rendered whole fits is seen afterwards.
 */
final class Filling {
  private static final String DOSAGE = "pcp.dosage.";
  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final String CONTENT_LIMIT = "content_limit";

  /** How a reason begins where the bound was that of the section, not that of the window. */
  static final String SECTION_LIMIT = "Section limit reached";

  private final Recipe asked;
  private final Recipe recipe;
  private final Sizes sizes;
  private final Shortener shortener;
  private final Map<String, Integer> limits;
  private final LinkedHashMap<String, Use> uses = new LinkedHashMap<>();
  private final Map<Integer, Verdict> verdicts = new HashMap<>();
  private final Map<String, List<Piece>> said = new HashMap<>();
  private final Map<SourceKind, Integer> shown = new EnumMap<>(SourceKind.class);
  private final List<List<Integer>> included = new ArrayList<>();
  private final List<Piece> placed = new ArrayList<>();
  private int used;

  /**
   * @param limits the most tokens of bundles that made the rendered whole too long
   */
  Filling(Recipe asked, Sizes sizes, Shortener shortener, Map<String, Integer> limits) {
    this.asked = asked;
    this.recipe = asked.effective();
    this.sizes = sizes;
    this.shortener = shortener;
    this.limits = limits;
    this.used = sizes.empty();
    for (Section section : recipe.sections().reversed()) {
      uses.putFirst(section.name(), new Use(section, List.copyOf(uses.values())));
    }
  }

  /** What was decided of one candidate; the piece is what stands in the window. */
  record Verdict(Piece piece, Decision decision, String rule, String reason) {

    /** Whether it is the format that does not show all of the piece. */
    boolean isOfTheFormat() {
      return rule.equals(CONTENT_LIMIT);
    }
  }

  private record Refusal(String rule, String reason) {}

  /** How far a section is filled. */
  private static final class Use {
    private final Section section;
    private final List<Use> later;
    private int wanted;
    private int tokens;
    private boolean begun;
    private boolean late;
    private boolean opened;
    private boolean stopped;

    Use(Section section, List<Use> later) {
      this.section = section;
      this.later = later;
    }

    /** What of its reserve it has not used yet. */
    double due(int budget) {
      return Math.max(0, Math.min(section.reserve() * budget, wanted) - tokens);
    }
  }

  /** Decides on every candidate, in their order. */
  void run(List<Piece> ordered) {
    Map<String, List<Piece>> bundles = new LinkedHashMap<>();
    for (Piece piece : ordered) {
      bundles.computeIfAbsent(piece.content().bundleKey(), _ -> new ArrayList<>()).add(piece);
    }
    bundles.values().forEach(this::want);
    said.clear();
    shown.clear();
    bundles.forEach(this::decide);
  }

  /**
   * A section may count on room for what only want of room can keep out. That does not depend on
   * the budget, so that a larger one leaves no less to earlier sections.
   */
  private void want(List<Piece> pieces) {
    Piece first = pieces.getFirst();
    Candidate candidate = first.content().candidate();
    if (isFit(candidate) && overdosed(candidate).or(() -> repeated(pieces)).isEmpty()) {
      Use use = use(first);
      int frame = use.wanted == 0 ? sizes.of(use.section) : 0;
      use.wanted += frame + pieces.stream().mapToInt(sizes::of).sum();
      pieces.forEach(this::say);
      pieces.forEach(this::count);
    }
  }

  private boolean isFit(Candidate first) {
    return !isTorn(first)
        && first.scores().relevance() >= recipe.minimum()
        && !isPoor(first.scores());
  }

  private static boolean isTorn(Candidate first) {
    return first.bundle().filter(Bundles::isTorn).isPresent();
  }

  Verdict verdict(int number) {
    return Objects.requireNonNull(verdicts.get(number));
  }

  /** The numbers of what is in, bundle by bundle, in the order in which it came in. */
  List<List<Integer>> included() {
    return List.copyOf(included);
  }

  private Use use(Piece piece) {
    return Objects.requireNonNull(uses.get(piece.content().candidate().section()));
  }

  private void decide(String bundle, List<Piece> pieces) {
    Piece first = pieces.getFirst();
    Optional<Refusal> refusal =
        refusal(first.content().candidate(), use(first)).or(() -> repeated(pieces));
    if (refusal.isPresent()) {
      exclude(pieces, refusal.get());
    } else {
      place(use(first), limits.getOrDefault(bundle, Integer.MAX_VALUE), pieces);
    }
  }

  private boolean isShortenable(List<Piece> pieces) {
    Piece first = pieces.getFirst();
    return pieces.size() == 1
        && sizes.of(first) > recipe.shortening().from()
        && first.content().body().isProse();
  }

  private Optional<Refusal> refusal(Candidate first, Use use) {
    if (first.kind() == SourceKind.SYSTEM) {
      return Optional.empty();
    }
    if (isTorn(first)) {
      return refusal(
          "unpaired_tool", "A tool call without its result, or a result without its call");
    }
    if (first.scores().relevance() < recipe.minimum()) {
      return refusal(
          "relevance_threshold",
          below("relevance threshold", first.scores().relevance(), recipe.minimum()));
    }
    return poor(first.scores()).or(() -> overdosed(first)).or(() -> late(use)).or(() -> cut(use));
  }

  /** The same wherever a window is made. */
  private static String below(String limit, double found, double wanted) {
    return String.format(Locale.ROOT, "Below %s (%.2f < %.2f)", limit, found, wanted);
  }

  private boolean isPoor(Scores scores) {
    return scores.quality().filter(found -> found.value() < recipe.least()).isPresent();
  }

  private Optional<Refusal> poor(Scores scores) {
    return isPoor(scores)
        ? refusal("quality_minimum", below("quality minimum", scores.rank(), recipe.least()))
        : Optional.empty();
  }

  /** A window that was held to a dosage has at most so many records of a kind. */
  private Optional<Refusal> overdosed(Candidate first) {
    return recipe
        .dosage()
        .flatMap(limits -> most(limits, first.kind()))
        .filter(most -> shown.getOrDefault(first.kind(), 0) >= most.records())
        .map(
            most ->
                new Refusal(
                    "dosage_limit",
                    "At most %d of its kind in a window (%s)"
                        .formatted(most.records(), most.setting().orElseThrow())));
  }

  private static Optional<Cap> most(Dosage limits, SourceKind kind) {
    return switch (kind) {
      case SCOPE -> Optional.of(dosed(limits.maxScopes(), "max-scopes"));
      case ARTIFACT -> Optional.of(dosed(limits.maxArtifacts(), "max-artifacts"));
      case NOTE -> Optional.of(dosed(limits.maxNotes(), "max-notes"));
      case SYSTEM, TRAJECTORY, TURN -> Optional.empty();
    };
  }

  private static Cap dosed(int records, String setting) {
    return new Cap(records, Optional.of(DOSAGE + setting));
  }

  /** What is in already needs not be said again; in a conversation it does. */
  private Optional<Refusal> repeated(List<Piece> pieces) {
    Piece first = pieces.getFirst();
    return pieces.size() > 1 || use(first).section.dialogue()
        ? Optional.empty()
        : said.getOrDefault(first.content().body().words(), List.of()).stream()
            .filter(other -> isOfTheSame(first.content().body(), other.content().body()))
            .findFirst()
            .map(
                other ->
                    new Refusal("duplicate", "Says the same as [%d]".formatted(other.number())));
  }

  /** The same words about somebody else are something else. */
  private static boolean isOfTheSame(Body one, Body other) {
    return one.whose().isEmpty() || other.whose().isEmpty() || one.whose().equals(other.whose());
  }

  /** A rule that begins when the budget is as good as used brings nothing, but what was kept. */
  private Optional<Refusal> late(Use use) {
    if (!use.begun) {
      use.begun = true;
      boolean full = used >= recipe.fillRatio() * recipe.budget();
      use.late = full && use.due(recipe.budget()) == 0;
    }
    return use.late
        ? refusal("token_budget_exhausted", "token_budget_exhausted")
        : Optional.empty();
  }

  private static Optional<Refusal> cut(Use use) {
    return use.stopped
        ? refusal("conversation_cut", "Older than a turn that did not fit")
        : Optional.empty();
  }

  private static Optional<Refusal> refusal(String rule, String reason) {
    return Optional.of(new Refusal(rule, reason));
  }

  /** What was said last may be missing; what was said before it goes on. */
  private static boolean isPartOfTheFlow(Use use, Piece piece) {
    return use.section.dialogue() && !isBeforeItsSection(use, piece);
  }

  /** What the user has said last comes before its section, and so before every reserve. */
  private static boolean isBeforeItsSection(Use use, Piece piece) {
    return piece.content().candidate().priority() > use.section.priority();
  }

  /** Which limit it was that left no room. */
  private String bound(Use use, Piece piece) {
    int most = use.section.maxTokens();
    if (most - use.tokens < left(use, piece)) {
      return "%s (%d/%d tokens)".formatted(SECTION_LIMIT, use.tokens, most);
    }
    StringBuilder exceeded =
        new StringBuilder("Budget exceeded (" + used + "/" + recipe.budget() + " tokens");
    exceeded.append(held()).append(')');
    for (Use other : creditors(use, piece)) {
      int due = (int) Math.ceil(other.due(recipe.budget()));
      exceeded.append(due == 0 ? "" : ", " + due + " kept for " + other.section.name());
    }
    return exceeded.toString();
  }

  /** Whose budget it is, where it is not the one that was asked for. */
  private String held() {
    return asked.isHeld() ? " of " + DOSAGE + "max-context-tokens" : "";
  }

  private void place(Use use, int limit, List<Piece> pieces) {
    int frame = (use.opened ? 0 : sizes.of(use.section)) + sizes.beside(placed, pieces);
    int room = Math.min(room(use, pieces.getFirst()) - frame, limit);
    int tokens = pieces.stream().mapToInt(sizes::of).sum();
    if (tokens <= room || use.section.kind() == SourceKind.SYSTEM) {
      include(use, frame + tokens, pieces);
    } else {
      shorten(use, frame, room, pieces);
    }
  }

  /**
   * What is left for a piece: not what is due to later sections, and no more than its rule allows.
   */
  private int room(Use use, Piece piece) {
    return Math.min(left(use, piece), use.section.maxTokens() - use.tokens);
  }

  private int left(Use use, Piece piece) {
    return (int) Math.floor(recipe.budget() - due(use, piece)) - used;
  }

  private double due(Use use, Piece piece) {
    double due = 0;
    for (Use other : creditors(use, piece)) {
      due += other.due(recipe.budget());
    }
    return due;
  }

  /** The later sections to which a piece has to leave what they may count on. */
  private List<Use> creditors(Use use, Piece piece) {
    return isBeforeItsSection(use, piece) ? List.of() : use.later;
  }

  private void include(Use use, int tokens, List<Piece> pieces) {
    String reason = "rule_" + use.section.rule();
    for (Piece piece : pieces) {
      put(piece, limited(piece).orElseGet(() -> whole(piece, reason)));
      say(piece);
    }
    take(use, tokens, pieces);
  }

  private static Verdict whole(Piece piece, String reason) {
    return new Verdict(piece, Decision.INCLUDE, "standard_inclusion", reason);
  }

  /** Where the format shows only so much of an item. */
  private Optional<Verdict> limited(Piece piece) {
    return recipe
        .trust()
        .filter(_ -> piece.content().candidate().kind() != SourceKind.SYSTEM)
        .filter(prompt -> prompt.cuts(PlainText.words(piece)))
        .map(
            prompt ->
                new Verdict(
                    piece,
                    Decision.TRUNCATE,
                    CONTENT_LIMIT,
                    "At most %d characters of an item".formatted(prompt.rule().contentLimit())));
  }

  private void say(Piece piece) {
    String words = piece.content().body().words();
    if (!words.isBlank()) {
      said.computeIfAbsent(words, _ -> new ArrayList<>()).add(piece);
    }
  }

  private void take(Use use, int tokens, List<Piece> pieces) {
    use.opened = true;
    use.tokens += tokens;
    used += tokens;
    included.add(pieces.stream().map(Piece::number).toList());
    placed.addAll(pieces);
    pieces.forEach(this::count);
  }

  private void count(Piece piece) {
    shown.merge(piece.content().candidate().kind(), 1, Integer::sum);
  }

  private void put(Piece piece, Verdict verdict) {
    verdicts.put(piece.number(), verdict);
  }

  private void shorten(Use use, int frame, int room, List<Piece> pieces) {
    Piece whole = pieces.getFirst();
    int full = sizes.of(whole);
    Optional<Shortener.Shortened> made =
        isShortenable(pieces) ? shortened(use, room, whole) : Optional.empty();
    if (made.isEmpty()) {
      use.stopped |= isPartOfTheFlow(use, whole);
      int takes = pieces.stream().mapToInt(sizes::of).sum();
      String left = ": takes " + takes + ", " + Math.max(0, room) + " were left";
      exclude(pieces, new Refusal("budget_limit", bound(use, whole) + left));
      return;
    }
    Piece piece = new Piece(whole.number(), whole.content(), Optional.of(made.get().text()));
    put(piece, shortened(piece, made.get(), full, within(use, room, whole)));
    say(piece);
    take(use, frame + made.get().tokens(), List.of(piece));
  }

  private static Verdict shortened(Piece piece, Shortener.Shortened made, int full, String within) {
    return new Verdict(
        piece,
        made.decision(),
        made.decision() == Decision.COMPRESS ? "compressed" : "truncated",
        "%s: %d of %d tokens, %s".formatted(made.how().words(), made.tokens(), full, within));
  }

  /** How much there might have been of it. */
  private String within(Use use, int room, Piece whole) {
    int dose = dose(use, whole);
    return dose < room
        ? DOSAGE + "compression-ratio allows %d".formatted(dose)
        : "%d were left".formatted(room);
  }

  /** A conversation has no gaps, within what was said neither. */
  private Optional<Shortener.Shortened> shortened(Use use, int room, Piece whole) {
    return shortener.fit(
        whole.content(),
        use.section.compressible() && !use.section.dialogue(),
        Math.min(room, dose(use, whole)),
        recipe.shortening().least(),
        text -> sizes.of(new Piece(whole.number(), whole.content(), Optional.of(text))));
  }

  /** Under a dosage, what is not critical is compressed to a share of itself. */
  private int dose(Use use, Piece whole) {
    return recipe
        .dosage()
        .filter(limits -> use.section.priority() < limits.criticalPriority())
        .map(limits -> (int) (sizes.of(whole) * limits.compressionRatio()))
        .orElse(NO_LIMIT);
  }

  private void exclude(List<Piece> pieces, Refusal refusal) {
    pieces.forEach(
        piece ->
            put(piece, new Verdict(piece, Decision.EXCLUDE, refusal.rule(), refusal.reason())));
  }
}
