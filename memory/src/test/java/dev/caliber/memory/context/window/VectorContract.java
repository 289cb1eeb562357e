package dev.caliber.memory.context.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AngledEmbedder;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextFixture;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchHit.ChannelScore;
import dev.caliber.store.spi.Embedder;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Vectors in the selection of a window's candidates. */
@EachEngine
class VectorContract extends ContextFixture {
  private static final Offset<Double> CLOSE = within(1e-3);

  private AngledEmbedder embedder = new AngledEmbedder("angled");

  @Override
  public Optional<Embedder> embedder() {
    return Optional.of(embedder);
  }

  private Note know(String entity, double confidence, String words) {
    clock.advance(Duration.ofSeconds(1));
    return memory.run(
        SPACE, WriteNote.of(entity, "animal", NoteType.FACT, words).withConfidence(confidence));
  }

  private static double relevance(AssembledWindow made, Note note) {
    return line(made, note.id()).candidate().scores().relevance();
  }

  private static String degraded(AssembledWindow made) {
    return made.window().inputs().degraded().orElse("");
  }

  private String traced() {
    return memory
        .view(SPACE, view -> view.trace("context_assembled", 1))
        .getFirst()
        .detail()
        .orElseThrow();
  }

  @Test
  @DisplayName(
      "CTX-03: a query is embedded once, however often is searched, and only if there is one")
  void oneEmbedding() {
    Trajectory task = start();
    say(scopeOf(task), "The zebra is 0.70 alike.");
    learn("zebra", "The zebra is 0.90 alike.");
    embed();
    int before = embedder.queries();
    assemble(task);
    assertThat(embedder.queries()).isEqualTo(before);
    search()
        .meanwhile(
            () -> {
              if (search().searches() == 1) {
                memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
                memory.run(SPACE, new OpenScope(task.id()));
              }
            });
    assemble(ask(task, "zebra"));
    assertThat(search().searches())
        .as("notes, then notes, turns and summaries: there is another scope now")
        .isEqualTo(4);
    assertThat(embedder.queries()).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("CTX-03: nothing is searched for that cannot be there")
  void onlyWhatIsThere() {
    Trajectory task = start();
    say(scopeOf(task), "The zebra is 0.70 alike.");
    assertThat(searchesFor(task)).as("notes").isEqualTo(1);
    make(scopeOf(task), "The zebra is 0.80 alike.");
    assertThat(searchesFor(task)).as("notes and artifacts").isEqualTo(2);
    memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
    memory.run(SPACE, new OpenScope(task.id()));
    assertThat(searchesFor(task)).as("turns and summaries, too").isEqualTo(4);
  }

  private int searchesFor(Trajectory task) {
    search().meanwhile(() -> {});
    assemble(ask(task, "zebra"));
    return search().searches();
  }

  @Test
  @DisplayName("CTX-07, CTX-04: relevance is the cosine, and notes have to have some of it")
  void theCosine() {
    Trajectory task = start();
    Note near = learn("zebra", "The zebra is 0.90 alike.");
    Note far = learn("horse", "The horse is 0.40 alike.");
    Note unlike = learn("ant", "The ant, no zebra, is 0.05 alike.");
    embed();
    AssembledWindow made = assemble(ask(task, "zebra"));
    assertThat(relevance(made, near)).isCloseTo(0.9, CLOSE);
    assertThat(relevance(made, far)).isCloseTo(0.4, CLOSE);
    assertThat(offers(made, unlike.id())).as("below context.relevance.note-minimum").isFalse();
    assertThat(line(made, near.id()).candidate().scores().channels())
        .extracting(ChannelScore::channel)
        .contains(SearchChannel.DENSE);
    assertThat(degraded(made)).isEmpty();
  }

  @Test
  @DisplayName(
      "CTX-18: relevant(t) offers what is at least so similar, by the newest without a query")
  void relevantRules() {
    Trajectory task = start();
    Note near = learn("zebra", "The zebra is 0.90 alike.");
    Note far = learn("horse", "The horse, no zebra, is 0.45 alike.");
    embed();
    deploy(rule("notes", new InjectionMode.RelevantInjection(0.5), 50, 4000));
    AssembledWindow made = assemble(ask(task, "zebra"));
    assertThat(offers(made, near.id())).isTrue();
    assertThat(offers(made, far.id())).isFalse();
    assertThat(offers(assemble(task), far.id())).isTrue();
    deploy(rule("notes", new InjectionMode.RelevantInjection(0.4), 50, 4000));
    assertThat(offers(assemble(ask(task, "zebra")), far.id())).isTrue();
  }

  private Scope summarised(Trajectory task, String words) {
    Scope scope = scopeOf(task);
    say(scope, words);
    memory.run(SPACE, CloseScope.of(scope.id()));
    memory.run(SPACE, new OpenScope(task.id()));
    return scope;
  }

  @Test
  @DisplayName("CTX-18, CTX-07: summaries are as near to a query as their words, in every mode")
  void relevantSummaries() {
    Trajectory task = start();
    Scope near = summarised(task, "The zebra is 0.90 alike.");
    Scope far = summarised(task, "The horse is 0.45 alike.");
    embed();
    AssembledWindow all = assemble(ask(task, "zebra"));
    assertThat(line(all, near.id()).candidate().scores().relevance()).isCloseTo(0.9, CLOSE);
    assertThat(line(all, far.id()).candidate().scores().relevance()).isCloseTo(0.45, CLOSE);
    assertThat(line(all, near.id()).candidate().scores().score()).isPositive();
    assertThat(line(all, near.id()).number()).isLessThan(line(all, far.id()).number());
    deploy(rule("scopes", new InjectionMode.RelevantInjection(0.6), 40, 4000));
    AssembledWindow relevant = assemble(ask(task, "zebra"));
    assertThat(offers(relevant, near.id())).isTrue();
    assertThat(offers(relevant, far.id())).isFalse();
    assertThat(offers(assemble(task), far.id())).as("the newest without a query").isTrue();
  }

  @Test
  @DisplayName(
      "CTX-07, J-32: what has no vector yet is neutral, and the window and its trace say so")
  void whatWaitsForItsVector() {
    Trajectory task = start();
    Note near = learn("zebra", "The zebra is 0.90 alike.");
    embed();
    Note fresh = learn("owl", "The owl is no zebra.");
    AssembledWindow made = assemble(ask(task, "zebra"));
    assertThat(relevance(made, near)).isCloseTo(0.9, CLOSE);
    assertThat(relevance(made, fresh)).isEqualTo(0.5);
    assertThat(degraded(made))
        .isEqualTo(
            "1 of 2 hits (note) have no vector and get the neutral relevance (context.relevance.default-score)");
    assertThat(traced()).endsWith("; " + degraded(made));
    assertThat(WindowExplanation.of(made.window()).degraded()).contains(degraded(made));
    embed();
    assertThat(degraded(assemble(ask(task, "zebra")))).isEmpty();
    assertThat(traced()).endsWith(" tokens");
  }

  @Test
  @DisplayName("CTX-07: where nothing was compared, missing vectors are not reported")
  void nothingCompared() {
    Trajectory task = start();
    Note fresh = learn("owl", "The owl is no zebra.");
    AssembledWindow made = assemble(ask(task, "zebra"));
    assertThat(relevance(made, fresh)).isEqualTo(0.5);
    assertThat(degraded(made)).doesNotContain("no vector");
  }

  @Test
  @DisplayName("CTX-07, J-32: vectors of another model are not compared, and the window says so")
  void vectorsOfAnotherModel() {
    Trajectory task = start();
    Note near = learn("zebra", "The zebra is 0.90 alike.");
    embed();
    embedder = new AngledEmbedder("other");
    openIndexAgain();
    AssembledWindow made = assemble(ask(task, "zebra"));
    assertThat(relevance(made, near)).isEqualTo(0.5);
    assertThat(degraded(made)).contains(whyNotComparedAfterAnotherModel());
    assertThat(traced()).contains(whyNotComparedAfterAnotherModel());
  }

  /** In memory the index was rebuilt; elsewhere its files are still those of the other model. */
  private String whyNotComparedAfterAnotherModel() {
    return testEngine().kind() == EngineKind.MEMORY
        ? ""
        : "the index has vectors of model 'angled', but the configured model is 'other'";
  }

  @Test
  @DisplayName("PCP-18, J-37: of a kind with too many records the least relevant go")
  void theLeastRelevantGo() {
    Trajectory task = start();
    Note least = learn("ant", "The ant is no zebra, 0.30 alike.");
    Note near = learn("zebra", "The zebra is 0.90 alike.");
    Note between = learn("horse", "The horse is no zebra, 0.60 alike.");
    embed();
    AssembledWindow made =
        assemble(ask(task, "zebra").withLimits(new WindowLimits(8000, 5, 20, 2, 90, 0.5)));
    assertThat(line(made, near.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(line(made, between.id()).decision()).isEqualTo(InclusionDecision.INCLUDE);
    assertThat(line(made, least.id()).rule()).isEqualTo("window_limit");
  }

  private static ContextConfig judged(double minimum) {
    return starter("context.quality.enabled = true", "context.quality.minimum = " + minimum);
  }

  private static SourceQuality quality(AssembledWindow made, Note note) {
    return line(made, note.id()).candidate().scores().quality().orElseThrow();
  }

  @Test
  @DisplayName(
      "QUAL-02, QUAL-03: quality has the similarity to the query in it, and orders by the sum")
  void similarityIsPartOfQuality() {
    use(judged(0.5));
    Trajectory task = start();
    Note near = know("zebra", 0.2, "The zebra is 0.90 alike.");
    Note sure = know("horse", 1, "The horse is no zebra, 0.50 alike.");
    Note poor = know("ant", 0, "The ant is no zebra, 0.20 alike.");
    embed();
    AssembledWindow made = assemble(ask(task, "zebra"));
    assertThat(quality(made, near).similarity()).isCloseTo(0.9, CLOSE);
    assertThat(quality(made, near).value()).isCloseTo(0.35 * 0.9 + 0.25 * 0.2 + 0.25, CLOSE);
    assertThat(quality(made, sure).value()).isCloseTo(0.35 * 0.5 + 0.25 + 0.25, CLOSE);
    assertThat(quality(made, poor).value()).isCloseTo(0.35 * 0.2 + 0.25, CLOSE);
    assertThat(line(made, sure.id()).number()).isEqualTo(1);
    assertThat(line(made, near.id()).number()).isEqualTo(2);
    assertThat(line(made, poor.id()).rule()).isEqualTo("quality_minimum");
    assertThat(line(made, poor.id()).reason()).isEqualTo("Below quality minimum (0.32 < 0.50)");
  }

  @Test
  @DisplayName("QUAL-05: what is too large comes shortened where enough room is")
  void largeSourcesAreShortened() {
    use(judged(0));
    Trajectory task = start();
    Note large = know("zebra", 1, sentences("The zebra is 0.90 alike."));
    embed();
    AssembledWindow made = assemble(ask(task, "zebra").withMaxTokens(400));
    LedgerLine cut = line(made, large.id());
    assertThat(cut.number()).isEqualTo(1);
    assertThat(cut.decision()).isEqualTo(InclusionDecision.TRUNCATE);
    assertThat(cut.tokens())
        .isBetween(starter().assembly().shortening().minResultTokens(), cut.fullTokens() - 1);
    assertThat(made.text()).contains("The zebra is 0.90 alike.", "(shortened)");
  }

  /** Returns too many sentences for a summary to fit where a beginning does. */
  private static String sentences(String first) {
    StringBuilder text = new StringBuilder(first);
    for (int i = 0; i < 100; i++) {
      text.append(" It grazes on meadow number %d, east of river %d.".formatted(i, i * 7));
    }
    return text.toString();
  }
}
