package dev.caliber.memory.context;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextConfig.Persistence;
import dev.caliber.kernel.config.ContextConfig.QualityRule;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.PcpConfig.Dosage;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Injection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Composes from the records of a store. */
final class RecordedAssembler implements ContextAssembler {
  private static final String ESTIMATE = "estimate";

  /** How often a window is searched for while what it is searched by changes. */
  static final int SEARCHES_BOUND = 3;

  private final RecordStore store;
  private final MemoryConfig memory;
  private final MemoryParts parts;
  private final TokenCounters counters;
  private final Counts counts;

  RecordedAssembler(
      RecordStore store, MemoryConfig memory, MemoryParts parts, TokenCounters counters) {
    this.store = store;
    this.memory = memory;
    this.parts = parts;
    this.counters = counters;
    this.counts = new Counts(config().assembly().countsKept());
  }

  /** Everybody sees everything. */
  @Override
  public ContextAssembler as(String actor) {
    return this;
  }

  private ContextConfig config() {
    return parts.runtime().context();
  }

  @Override
  public Assembled assemble(SpaceId space, AssembleRequest request) {
    Instant begun = parts.clock().instant();
    requireShort(request);
    int budget = budget(request);
    TokenCounter counter = counter(request);
    Recipe recipe = recipe(request, budget, counter, request.asOf().orElse(begun));
    Draft draft = draft(space, request, recipe);
    Composed composed = Composition.of(draft.recipe(), draft.candidates(), counter, counts);
    Window window = window(request, draft, composed, begun);
    return new Assembled(keep(space, request, window, begun), composed.text());
  }

  private void requireShort(AssembleRequest request) {
    MemoryConfig.Limits limits = memory.limits();
    request.query().ifPresent(query -> size("query", "note", limits.note(), query));
    request.model().ifPresent(model -> size("model", "text", limits.text(), model));
    request.tokenizer().ifPresent(name -> size("tokenizer", "text", limits.text(), name));
    request.subject().ifPresent(name -> size("subject", "text", limits.text(), name));
    Set<String> subjects = request.visible().map(SubjectScope::subjects).orElse(Set.of());
    new Limit("memory.limits.page", limits.page()).check("subjects", subjects.size());
    subjects.forEach(name -> size("subjects", "text", limits.text(), name));
  }

  private static void size(String field, String name, DataSize limit, String text) {
    new Limit("memory.limits." + name, limit.bytes())
        .check(field, text.getBytes(StandardCharsets.UTF_8).length);
  }

  /**
   * What is deployed, the rules that follow from it, whose scopes and what is there: of a commit.
   */
  private record Plan(
      Optional<CompiledConfig> deployed,
      List<Rule> rules,
      Optional<Id> current,
      List<Ancestor> ancestors,
      Set<SourceKind> present,
      SubjectScope visible,
      Optional<String> subject,
      long epoch,
      long sequence) {

    boolean isOf(Snapshot snapshot) {
      return epoch == snapshot.epoch() && sequence == snapshot.sequence();
    }

    boolean searchesAs(Plan other) {
      return rules.equals(other.rules)
          && current.equals(other.current)
          && ancestors.equals(other.ancestors)
          && present.equals(other.present)
          && visible.equals(other.visible)
          && subject.equals(other.subject);
    }

    /** The task, then those above it. */
    List<Id> trajectories(Id own) {
      return line(own, ancestors);
    }
  }

  private static List<Id> line(Id own, List<Ancestor> ancestors) {
    return Stream.concat(Stream.of(own), ancestors.stream().map(Ancestor::trajectory)).toList();
  }

  /** What was found, and by which plan. */
  private record Searched(Plan plan, Found found) {

    /** What was found by another plan says so. */
    Found by(Plan now) {
      return fits(now) ? found : found.by(plan.sequence);
    }

    boolean fits(Plan now) {
      return !found.searched() || now.searchesAs(plan);
    }
  }

  /** What composing starts from: everything but what was found is of the plan's commit. */
  private record Draft(
      Recipe recipe, List<Content> candidates, Plan plan, Found found, int otherSubjects) {}

  /** A draft, or the plan by which to search again. */
  private record Attempt(Plan plan, Optional<Draft> draft) {}

  /*
   * Nothing is embedded or searched inside a snapshot. So a plan is read to search by, and read
   * again in the snapshot of everything else, unless that is of the same commit. The search sees at
   * least the commit of the plan, so that nothing falls between what was searched and what is read.
   */
  private Draft draft(SpaceId space, AssembleRequest request, Recipe recipe) {
    if (!searches(request)) {
      return store.read(
          space,
          snapshot ->
              draft(snapshot, request, recipe, plan(snapshot, request, recipe), Found.nothing()));
    }
    Plan plan = store.read(space, snapshot -> plan(snapshot, request, recipe));
    return draft(space, request, recipe, plan, SEARCHES_BOUND);
  }

  private Draft draft(
      SpaceId space, AssembleRequest request, Recipe recipe, Plan plan, int searches) {
    Searched searched = new Searched(plan, search(space, request, plan, recipe.at()));
    Attempt attempt =
        store.read(space, snapshot -> attempt(snapshot, request, recipe, searched, searches == 1));
    return attempt
        .draft()
        .orElseGet(() -> draft(space, request, recipe, attempt.plan(), searches - 1));
  }

  /** Whoever was searching last goes on with what was found. */
  private Attempt attempt(
      Snapshot snapshot, AssembleRequest request, Recipe recipe, Searched searched, boolean last) {
    Plan now = searched.plan().isOf(snapshot) ? searched.plan() : plan(snapshot, request, recipe);
    return new Attempt(
        now,
        last || searched.fits(now)
            ? Optional.of(draft(snapshot, request, recipe, now, searched.by(now)))
            : Optional.empty());
  }

  private boolean searches(AssembleRequest request) {
    return request.query().isPresent() && parts.search().isPresent();
  }

  private int budget(AssembleRequest request) {
    int most = config().tokenBudget();
    int wanted = request.maxTokens().orElse(most);
    if (wanted < 1 || wanted > most) {
      throw ContextException.budget(wanted, most);
    }
    return wanted;
  }

  private TokenCounter counter(AssembleRequest request) {
    return request
        .tokenizer()
        .map(name -> named(name, config().bytesPerToken(), config().assembly().estimateMargin()))
        .or(() -> request.model().flatMap(counters::ofModel))
        .orElseGet(this::estimate);
  }

  private TokenCounter estimate() {
    return estimate(config().bytesPerToken(), config().assembly().estimateMargin());
  }

  private static TokenCounter estimate(double bytesPerToken, double margin) {
    return TokenCounter.estimate(new TokenEstimate(bytesPerToken / margin));
  }

  private TokenCounter named(String name, double bytesPerToken, double margin) {
    return name.equals(ESTIMATE)
        ? estimate(bytesPerToken, margin)
        : counters.named(name).orElseThrow(() -> ContextException.unknownTokenizer(name));
  }

  /** In the past, what the space ran on then. */
  private Optional<CompiledConfig> deployed(Snapshot snapshot, AssembleRequest request) {
    return request
        .asOf()
        .map(at -> parts.policies().at(snapshot, at))
        .orElseGet(() -> parts.policies().apply(snapshot));
  }

  private Plan plan(Snapshot snapshot, AssembleRequest request, Recipe recipe) {
    Optional<CompiledConfig> deployed = deployed(snapshot, request);
    MemoryView view = MemoryView.of(snapshot, memory);
    Trajectory own = view.trajectory(request.trajectory());
    Id trajectory = own.id();
    Optional<Id> current = current(view, request).map(Scope::id);
    List<Ancestor> ancestors =
        Ancestor.of(
            reading(snapshot, request, recipe), request, parts.runtime().pcp().contextDag());
    Optional<String> subject = otherSessions(snapshot, request, own, ancestors);
    return new Plan(
        deployed,
        Rules.of(
            config(),
            deployed,
            injections(snapshot, trajectory, request.asOf()),
            subject.isPresent()),
        current,
        ancestors,
        searches(request)
            ? Searching.present(snapshot, line(trajectory, ancestors), current)
            : Set.of(),
        VisibleSubjects.scopeOf(request, own),
        subject,
        snapshot.epoch(),
        snapshot.sequence());
  }

  /** The trajectory's subject, if there is a query and the subject has other trajectories. */
  private Optional<String> otherSessions(
      Snapshot snapshot, AssembleRequest request, Trajectory own, List<Ancestor> ancestors) {
    List<Id> line = line(own.id(), ancestors);
    return own.labels()
        .subject()
        .filter(_ -> request.query().isPresent() && config().relevance().sessionLimit() > 0)
        .filter(
            subject ->
                snapshot
                    .first(
                        Query.over(Trajectory.TABLE, "subject", "created_at")
                            .equal(subject)
                            .where(task -> !line.contains(task.id())))
                    .isPresent());
  }

  /** What policies have injected; in the past, until then. */
  private List<Injection> injections(Snapshot snapshot, Id trajectory, Optional<Instant> asOf) {
    return snapshot
        .scan(
            Query.over(Injection.TABLE, "trajectory", "memory").equal(trajectory),
            memory.limits().page())
        .records()
        .stream()
        .filter(made -> asOf.filter(made.createdAt()::isAfter).isEmpty())
        .toList();
  }

  /** The scope at hand; in the past, the last one that was open then. */
  private static Optional<Scope> current(MemoryView view, AssembleRequest request) {
    return request
        .asOf()
        .map(at -> view.currentScope(request.trajectory(), at))
        .orElseGet(() -> view.currentScope(request.trajectory()));
  }

  private Found search(SpaceId space, AssembleRequest request, Plan plan, Instant at) {
    Searching searching =
        new Searching(
            parts.search().orElseThrow(),
            space,
            plan.trajectories(request.trajectory()),
            plan.current(),
            request.query().orElseThrow(),
            at,
            plan.sequence(),
            plan.visible(),
            plan.subject());
    try {
      return searching.find(plan.rules(), plan.present(), config().assembly().candidateLimit());
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
      return Found.behind(String.valueOf(e.getMessage()));
    }
  }

  private Reading reading(Snapshot snapshot, AssembleRequest request, Recipe recipe) {
    MemoryView view = MemoryView.of(snapshot, memory);
    return new Reading(
        snapshot,
        view,
        memory.limits().page(),
        recipe.at(),
        request.asOf().isPresent(),
        VisibleSubjects.of(snapshot, request, view.trajectory(request.trajectory())));
  }

  private Draft draft(
      Snapshot snapshot, AssembleRequest request, Recipe recipe, Plan plan, Found found) {
    Reading reading = reading(snapshot, request, recipe);
    Gathering.Asked asked =
        new Gathering.Asked(
            request.trajectory(),
            plan.current(),
            plan.ancestors(),
            request.query(),
            plan.subject(),
            memory.recall().candidates());
    Gathering.Gathered gathered =
        new Gathering(reading, config(), asked, found, recipe.trust().map(TrustPrompt::rule))
            .gather(plan.rules());
    Gathering.Gathered all = instructed(recipe, gathered);
    return new Draft(
        recipe.knowing(all.conflicts()).with(all.sections()),
        all.candidates(),
        plan,
        found,
        reading.visible().passedOver());
  }

  /** With the instructions in front, if there are any. */
  private Gathering.Gathered instructed(Recipe recipe, Gathering.Gathered gathered) {
    if (recipe.instructions().isBlank()) {
      return gathered;
    }
    Section system = Section.system(config().priorities().system());
    List<Section> sections = new ArrayList<>(gathered.sections());
    sections.addFirst(system);
    List<Content> candidates = new ArrayList<>(gathered.candidates());
    candidates.add(Instructions.of(recipe.instructions(), system.priority(), recipe.at()));
    return new Gathering.Gathered(candidates, sections, gathered.conflicts());
  }

  private Recipe recipe(AssembleRequest request, int budget, TokenCounter counter, Instant at) {
    ContextFormat format = request.format().orElse(config().assembly().format());
    return new Recipe(
        Recipe.COMPOSITION,
        budget,
        config().systemInstructions(),
        config().fillRatio(),
        request.query().isPresent() ? config().relevance().minimum() : 0,
        config().assembly().ranking(),
        config().assembly().shortening(),
        memory.text(),
        format,
        config().assembly().dates(),
        counter.name(),
        config().bytesPerToken(),
        config().assembly().estimateMargin(),
        at,
        List.of(),
        request.dosage(),
        Optional.of(config().assembly().quality())
            .filter(QualityRule::enabled)
            .map(QualityRule::minimum),
        format == ContextFormat.TRUST
            ? Optional.of(TrustPrompt.of(config().assembly().trust(), request.query()))
            : Optional.empty());
  }

  private static Window window(
      AssembleRequest request, Draft draft, Composed composed, Instant begun) {
    Window.Inputs inputs =
        new Window.Inputs(
            request.query(),
            request.model(),
            request.asOf(),
            draft.plan().sequence(),
            draft.plan().deployed().map(CompiledConfig::hash),
            draft.found().generations(),
            draft.found().degraded(),
            request.visible(),
            Optional.of(draft.otherSubjects()).filter(count -> count > 0));
    String inputHash = inputs.hash(request.trajectory(), draft.recipe(), composed.ledger());
    return new Window(
        Id.deterministic("window", inputHash),
        request.trajectory(),
        inputs,
        draft.recipe(),
        inputHash,
        textHash(composed.text()),
        composed.usedTokens(),
        composed.frame(),
        composed.sections(),
        composed.ledger(),
        begun,
        Optional.empty());
  }

  private static String textHash(String text) {
    return Hashing.hash("text", text);
  }

  /** The window and its trace in one commit; an ephemeral window leaves only its trace. */
  private Window keep(SpaceId space, AssembleRequest request, Window window, Instant begun) {
    if (request.dryRun()) {
      return window;
    }
    Persistence persistence = request.persistence().orElse(config().persistence());
    Duration duration = Duration.between(begun, parts.clock().instant());
    return store.write(space, transaction -> keep(transaction, window, persistence, duration));
  }

  private static Window keep(
      Transaction transaction, Window window, Persistence persistence, Duration duration) {
    Window kept =
        switch (persistence) {
          case Persistence.Ephemeral _ -> window;
          case Persistence.Ttl(var ttl) ->
              put(transaction, window, Optional.of(window.assembledAt().plus(ttl)));
          case Persistence.Permanent _ -> put(transaction, window, Optional.empty());
        };
    traces(transaction, kept, duration)
        .forEach(event -> transaction.append(TraceEvent.TABLE, event));
    return kept;
  }

  /** One that names what was forgotten while it was made is given, but not kept. */
  private static Window put(Transaction transaction, Window window, Optional<Instant> end) {
    Window kept = window.kept(transaction.newId(), end);
    return Windows.keep(transaction, kept) ? kept : window;
  }

  /** The assembly, what it has put in, and how many notes and artifacts were read for it. */
  private static List<TraceEvent> traces(
      Transaction transaction, Window window, Duration duration) {
    List<TraceEvent> events = new ArrayList<>();
    events.add(
        trace(transaction, window, "context_assembled").saying(used(window)).lasting(duration));
    if (!window.sections().isEmpty()) {
      events.add(
          trace(transaction, window, "context_injected")
              .saying(injected(window))
              .lasting(duration));
    }
    for (SourceKind kind : List.of(SourceKind.NOTE, SourceKind.ARTIFACT)) {
      long read = window.ledger().stream().filter(line -> line.candidate().kind() == kind).count();
      if (read > 0) {
        events.add(
            trace(transaction, window, kind.word() + "_retrieved").saying(Long.toString(read)));
      }
    }
    return events;
  }

  private static String used(Window window) {
    return "%d/%d tokens%s"
        .formatted(
            window.usedTokens(),
            window.maxTokens(),
            Stream.of(window.inputs().degraded(), window.inputs().subjects().map(Explanation::told))
                .flatMap(Optional::stream)
                .map(more -> "; " + more)
                .collect(Collectors.joining()));
  }

  private static String injected(Window window) {
    return window.sections().stream()
        .map(section -> section.name() + " " + section.sources().size())
        .collect(Collectors.joining(", "));
  }

  private static TraceEvent trace(Transaction transaction, Window window, String type) {
    return TraceEvent.of(
        transaction,
        type,
        EntityRef.of(EntityType.WINDOW, window.id()),
        Optional.of(window.trajectory()));
  }

  @Override
  public Window window(SpaceId space, Id id) {
    Instant now = parts.clock().instant();
    return store
        .read(space, snapshot -> snapshot.find(Window.TABLE, id))
        .filter(window -> window.isKept(now))
        .orElseThrow(() -> ContextException.unknownWindow(id));
  }

  @Override
  public List<Window> windows(SpaceId space, Id trajectory, int limit) {
    Instant now = parts.clock().instant();
    Query<Window> newest =
        Query.over(Window.TABLE, "trajectory", "assembled_at")
            .equal(trajectory)
            .descending()
            .where(window -> window.isKept(now));
    int most = Math.min(limit, memory.limits().page());
    return store.read(space, snapshot -> MemoryView.of(snapshot, memory).upTo(newest, most));
  }

  @Override
  public String replay(SpaceId space, Window window) {
    Recipe recipe = window.recipe();
    if (recipe.composition() != Recipe.COMPOSITION) {
      throw ContextException.otherComposition(recipe.composition());
    }
    TokenCounter counter = named(recipe.counter(), recipe.bytesPerToken(), recipe.margin());
    List<Content> contents = contents(space, window, window.ledger());
    String text = Composition.of(recipe, contents, counter, counts).text();
    if (!textHash(text).equals(window.textHash())) {
      throw ContextException.differs(window.id());
    }
    return text;
  }

  @Override
  public WindowDiff diff(SpaceId space, Window window, Window other) {
    return store.read(space, snapshot -> WindowDiff.between(window, other, snapshot));
  }

  @Override
  public Assembled dose(SpaceId space, Window window, Dosage limits, Persistence persistence) {
    if (window.isWithin(limits) && window.recipe().composition() == Recipe.COMPOSITION) {
      return new Assembled(window, replay(space, window));
    }
    Instant begun = parts.clock().instant();
    Recipe recipe = window.recipe().dosed(limits);
    TokenCounter counter = named(recipe.counter(), recipe.bytesPerToken(), recipe.margin());
    Composed composed =
        Composition.of(recipe, contents(space, window, window.ledger()), counter, counts);
    Window dosed = window.composedAgain(recipe, composed, textHash(composed.text()), begun);
    AssembleRequest request = AssembleRequest.of(window.trajectory()).kept(persistence);
    return new Assembled(keep(space, request, dosed, begun), composed.text());
  }

  private List<Content> contents(SpaceId space, Window window, List<LedgerLine> lines) {
    return store.read(
        space,
        snapshot -> {
          Recollecting recollecting =
              new Recollecting(MemoryView.of(snapshot, memory), snapshot, window.recipe());
          return lines.stream().map(line -> recollecting.content(line.candidate())).toList();
        });
  }

  @Override
  public Annotation annotate(SpaceId space, Window window, String answer) {
    size("answer", "turn", memory.limits().turn(), answer);
    List<LedgerLine> shown =
        window.ledger().stream().filter(line -> line.decision().isIn()).toList();
    List<Content> contents = contents(space, window, shown);
    return new Annotator(config().assembly().support())
        .annotate(window, contents, conflicts(space, shown), answer);
  }

  /** Notes among what is shown that are known to contradict each other, each pair once. */
  private List<Annotation.Conflict> conflicts(SpaceId space, List<LedgerLine> shown) {
    List<LedgerLine> notes =
        shown.stream().filter(line -> line.candidate().kind() == SourceKind.NOTE).toList();
    return store.read(
        space,
        snapshot ->
            notes.stream()
                .flatMap(
                    line ->
                        snapshot.find(Note.TABLE, line.candidate().id()).stream()
                            .flatMap(note -> conflicts(line, note, notes)))
                .toList());
  }

  private static Stream<Annotation.Conflict> conflicts(
      LedgerLine line, Note note, List<LedgerLine> notes) {
    return notes.stream()
        .filter(other -> other.number() > line.number())
        .filter(other -> note.conflictsWith().contains(other.candidate().id()))
        .map(other -> new Annotation.Conflict(Annotator.source(line), Annotator.source(other)));
  }
}
