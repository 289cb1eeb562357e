package dev.caliber.memory.context;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.TrustRule;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchHit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Reads the candidates of every rule from one snapshot. */
final class Gathering {
  private final Reading reading;
  private final ContextConfig config;
  private final Asked asked;
  private final Found found;
  private final Judging judging;
  private final Trusting trusting;
  private final Optional<NoteConflicts> conflicts;
  private final List<Content> candidates = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();

  /**
   * For what a window is made.
   *
   * @param current the scope at hand
   * @param ancestors tasks above this one that reach into its window
   * @param subject whose other sessions the window draws on
   * @param looked without an index: how many of the newest records are ranked by their words
   */
  record Asked(
      Id trajectory,
      Optional<Id> current,
      List<Ancestor> ancestors,
      Optional<String> query,
      Optional<String> subject,
      int looked) {}

  /**
   * @param trust by which the window says how far its items are trusted, if it does
   */
  Gathering(
      Reading reading, ContextConfig config, Asked asked, Found found, Optional<TrustRule> trust) {
    this.reading = reading;
    this.config = config;
    this.asked = asked;
    this.found = found;
    this.judging =
        new Judging(config.assembly().quality(), config.relevance().neutral(), reading.at());
    this.trusting = new Trusting(trust, reading);
    this.conflicts = trust.map(NoteConflicts::new);
  }

  /** Candidates, the sections that they may go into, and which notes contradict each other. */
  record Gathered(List<Content> candidates, List<Section> sections, NoteConflicts.Known conflicts) {
    Gathered {
      candidates = List.copyOf(candidates);
      sections = List.copyOf(sections);
    }
  }

  Gathered gather(List<Rule> rules) {
    List<Section> sections = rules.stream().map(rule -> rule.section().with(offer(rule))).toList();
    return new Gathered(
        candidates,
        sections,
        conflicts.map(NoteConflicts::all).orElse(NoteConflicts.Known.NOTHING));
  }

  /** Adds the rule's candidates; answers what there is beyond its limit. */
  private Rest offer(Rule rule) {
    return switch (rule.section().kind()) {
      case TURN -> rule.elsewhere() ? sessions(rule) : turns(rule);
      case ARTIFACT -> artifacts(rule);
      case NOTE -> notes(rule);
      case SCOPE -> scopes(rule);
      case TRAJECTORY -> trajectory(rule);
      case SYSTEM -> Rest.NONE;
    };
  }

  private RecordFilter filter(Rule rule) {
    return new RecordFilter(rule.filter(), reading.at(), asked.trajectory());
  }

  /** How many of the newest a rule wants that does not search. */
  private Cap newest(Rule rule) {
    int most = config.assembly().candidateLimit();
    return switch (rule.mode()) {
      case InjectionMode.TopK(var count) -> Cap.wanted(count, most);
      case InjectionMode.Relevant _ ->
          Cap.of(config.relevance().recencyLimit(), "context.relevance.recency-limit", most);
      case InjectionMode.Full _, InjectionMode.Summary _ -> Cap.candidates(most);
    };
  }

  /**
   * What a rule that does not search has beyond its limit.
   *
   * @param range all that it takes from, shown or not, where that is one range of an index
   */
  private Rest rest(Rule rule, Cap cap, int seen, int beyond, Optional<Query<?>> range) {
    if (cap.setting().isEmpty() || seen < cap.looked(rule.ahead())) {
      return Rest.counted(beyond, cap);
    }
    return range
        .filter(_ -> rule.filter().isEmpty())
        .map(rows -> Rest.between(beyond, reading.snapshot().count(rows) - cap.records(), cap))
        .orElseGet(() -> Rest.atLeast(beyond, cap));
  }

  private static int beyond(Cap cap, int seen) {
    return Math.max(0, seen - cap.records());
  }

  private boolean searches(Rule rule) {
    return rule.isRelevant() && asked.query().isPresent();
  }

  private double threshold(Rule rule) {
    return rule.mode() instanceof InjectionMode.Relevant(var least) ? least : 0;
  }

  private Rest turns(Rule rule) {
    if (!searches(rule)) {
      return rule.unasked() ? dialogue(rule) : Rest.NONE;
    }
    RecordFilter filter = filter(rule);
    Hits<Turn> hits =
        found.searched()
            ? hits(
                rule,
                Turn.TABLE,
                turn -> Optional.of(turn).filter(reading::isShown).filter(filter::passes))
            : byWords(
                rule, limit -> reading.turnsIn(asked.trajectory(), filter, limit), Turn::words);
    List<Turn> all = paired(hits.all().stream().map(Scored::record).toList());
    Bundles bundles = Bundles.of(all);
    hits.offered()
        .forEach(hit -> add(rule, bundles.with(hit.record(), all), hit.scores(), bundles));
    return hits.rest();
  }

  /** Turns of the subject's other sessions, each with the name of its session. */
  private Rest sessions(Rule rule) {
    Set<Id> own = new HashSet<>(List.of(asked.trajectory()));
    asked.ancestors().forEach(ancestor -> own.add(ancestor.trajectory()));
    String subject = asked.subject().orElseThrow();
    Hits<Turn> hits =
        found.searched()
            ? hits(
                rule,
                found.sessions(),
                Turn.TABLE,
                turn -> Optional.of(turn).filter(said -> reading.isElsewhere(said, own)),
                found.sessions().size() > rule.limit().records())
            : byWords(rule, limit -> reading.turnsElsewhere(subject, own, limit), Turn::words);
    hits.offered().forEach(hit -> addSaid(rule, hit.record(), hit.scores()));
    return hits.rest();
  }

  private void addSaid(Rule rule, Turn turn, Scores scores) {
    reading
        .find(Trajectory.TABLE, turn.trajectory())
        .map(session -> Bodies.of(turn, session))
        .ifPresent(
            body ->
                add(
                    candidate(
                        rule, turn, scores, Optional.empty(), rule.section().priority(), body)));
  }

  /** Turns that come together; where a rule before has taken one of them, it has taken all. */
  private void add(Rule rule, List<Turn> together, Scores scores, Bundles bundles) {
    if (together.stream().noneMatch(turn -> taken.contains(key(SourceKind.TURN, turn.id())))) {
      int priority = rule.section().priority();
      together.forEach(turn -> add(candidate(rule, turn, scores, bundles, priority)));
    }
  }

  /** The conversation at hand; what the user has said last comes first of all. */
  private Rest dialogue(Rule rule) {
    Cap cap = newest(rule);
    boolean full = rule.mode() instanceof InjectionMode.Full;
    List<Turn> seen =
        full
            ? asked
                .current()
                .map(scope -> reading.conversation(scope, filter(rule), cap.looked(rule.ahead())))
                .orElse(List.of())
            : reading.turnsIn(asked.trajectory(), filter(rule), cap.looked(rule.ahead()));
    List<Turn> turns = cap.of(seen);
    List<Turn> all = completed(turns);
    Bundles bundles = Bundles.of(all);
    Optional<Turn> said = turns.stream().filter(turn -> turn.role() == Role.USER).findFirst();
    for (Turn turn : all) {
      int priority = said.filter(turn::equals).isPresent() ? user(rule) : rule.section().priority();
      add(candidate(rule, turn, Scores.of(1, 1), bundles, priority));
    }
    long beyond = seen.stream().skip(turns.size()).filter(turn -> !all.contains(turn)).count();
    return rest(rule, cap, seen.size(), (int) beyond, full ? ownTurns() : turnsOfTask());
  }

  private int user(Rule rule) {
    return Math.max(rule.section().priority(), config.priorities().user());
  }

  /** The turns of the scope at hand, if its conversation goes on from no other. */
  private Optional<Query<?>> ownTurns() {
    return asked
        .current()
        .flatMap(scope -> reading.find(Scope.TABLE, scope))
        .filter(scope -> scope.continues().isEmpty())
        .map(scope -> Query.over(Turn.TABLE, "scope", "sequence").equal(scope.id()));
  }

  private Optional<Query<?>> turnsOfTask() {
    return Optional.of(Query.over(Turn.TABLE, "trajectory", "position").equal(asked.trajectory()));
  }

  /** The records of the trajectory in a table, if no other reaches into it. */
  private Optional<Query<?>> own(Table<?> table, String order) {
    return asked.ancestors().isEmpty()
        ? Optional.of(Query.over(table, "trajectory", order).equal(asked.trajectory()))
        : Optional.empty();
  }

  /** With the other half of tool calls and results that were said elsewhere. */
  private List<Turn> completed(List<Turn> turns) {
    Bundles bundles = Bundles.of(turns);
    List<Turn> torn =
        turns.stream()
            .filter(turn -> bundles.of(turn).filter(Bundles::isTorn).isPresent())
            .toList();
    return Stream.concat(turns.stream(), paired(torn).stream()).distinct().toList();
  }

  /** The turns and what belongs to their tool calls and results. */
  private List<Turn> paired(List<Turn> turns) {
    Set<Turn> all = new LinkedHashSet<>(turns);
    Deque<Turn> open = new ArrayDeque<>(turns);
    while (!open.isEmpty()) {
      pair(open.removeFirst()).stream().filter(all::add).forEach(open::addLast);
    }
    return List.copyOf(all);
  }

  private Collection<Turn> pair(Turn turn) {
    Set<Turn> all = new LinkedHashSet<>(List.of(turn));
    for (Part part : turn.parts()) {
      call(part)
          .flatMap(call -> exchange(turn, call))
          .ifPresent(
              exchange ->
                  Stream.concat(Stream.of(exchange.callTurn()), exchange.resultTurn().stream())
                      .flatMap(id -> reading.find(Turn.TABLE, id).stream())
                      .filter(this::isHere)
                      .forEach(all::add));
    }
    return all;
  }

  /** That of this trajectory, which may go on from a call of another. */
  private Optional<ToolExchange> exchange(Turn turn, String call) {
    return reading
        .view()
        .toolExchange(asked.trajectory(), call)
        .filter(own -> own.holds(turn.id()))
        .or(() -> reading.view().toolExchange(turn.trajectory(), call));
  }

  private boolean isHere(Turn turn) {
    return turn.trajectory().equals(asked.trajectory())
        ? reading.isShown(turn)
        : reading.isContinued(turn, asked.current());
  }

  private static Optional<String> call(Part part) {
    return switch (part) {
      case Part.ToolCall(var call, _, _) -> Optional.of(call);
      case Part.ToolResult(var call, _, _) -> Optional.of(call);
      case Part.Text _, Part.Data _ -> Optional.empty();
    };
  }

  private Content candidate(Rule rule, Turn turn, Scores scores, Bundles bundles, int priority) {
    return candidate(rule, turn, scores, bundles.of(turn), priority, Bodies.of(turn));
  }

  private Content candidate(
      Rule rule, Turn turn, Scores scores, Optional<String> bundle, int priority, Body body) {
    return new Content(
        new Candidate(
            SourceKind.TURN,
            turn.id(),
            0,
            rule.section().name(),
            priority,
            trusting.of(turn, scores),
            turn.createdAt(),
            turn.position(),
            turn.scope().toString(),
            bundle,
            body.hash()),
        body);
  }

  private Rest artifacts(Rule rule) {
    RecordFilter filter = filter(rule);
    if (!searches(rule)) {
      Cap cap = newest(rule);
      List<Artifact> seen = artifacts(filter, cap.looked(rule.ahead()));
      cap.of(seen).forEach(made -> add(rule, made, scores(SourceKind.ARTIFACT, made.id())));
      int beyond = beyond(cap, seen.size());
      return rest(rule, cap, seen.size(), beyond, own(Artifact.TABLE, "created_at"));
    }
    Hits<Artifact> hits =
        found.searched()
            ? hits(
                rule,
                Artifact.TABLE,
                made ->
                    Optional.of(made)
                        .filter(found -> of(found.trajectory()).anyMatch(at -> at.isShown(found)))
                        .filter(filter::passes))
            : byWords(rule, most -> artifacts(filter, most), made -> Bodies.of(made).words());
    hits.offered().forEach(made -> add(rule, made.record(), made.scores()));
    return hits.rest();
  }

  /** How the records of a trajectory are seen from this one; not at all where it is none above. */
  private Stream<Reading> of(Id trajectory) {
    return trajectory.equals(asked.trajectory())
        ? Stream.of(reading)
        : asked.ancestors().stream()
            .filter(ancestor -> ancestor.trajectory().equals(trajectory))
            .map(ancestor -> ancestor.seenBy(reading));
  }

  /** Those of the trajectory, then those of its ancestors. */
  private List<Artifact> artifacts(RecordFilter filter, int limit) {
    List<Artifact> all = new ArrayList<>(reading.artifacts(asked.trajectory(), filter, limit));
    for (Ancestor ancestor : asked.ancestors()) {
      all.addAll(
          ancestor
              .seenBy(reading)
              .artifacts(ancestor.trajectory(), filter, Math.max(0, limit - all.size())));
    }
    return all;
  }

  private void add(Rule rule, Artifact made, Scores found) {
    Scores scores = trusting.of(made, judging.of(made, found));
    Body body = Bodies.of(made);
    add(
        new Content(
            new Candidate(
                SourceKind.ARTIFACT,
                made.id(),
                0,
                rule.section().name(),
                rule.section().priority(),
                scores,
                made.createdAt(),
                0,
                made.type().name(),
                Optional.empty(),
                body.hash()),
            body));
  }

  private Rest notes(Rule rule) {
    RecordFilter filter = filter(rule);
    if (!searches(rule)) {
      Cap cap = newest(rule);
      List<Note> seen = reading.notes(filter, cap.looked(rule.ahead()));
      cap.of(seen).forEach(note -> add(rule, note, Scores.of(1, 1)));
      return rest(rule, cap, seen.size(), beyond(cap, seen.size()), Optional.empty());
    }
    if (found.searched()) {
      reading.countOtherNotes(rule.limit().records());
    }
    Hits<Note> hits =
        found.searched()
            ? hits(rule, Note.TABLE, note -> reading.shown(note).filter(filter::passes))
            : byWords(rule, limit -> reading.notes(filter, limit), Note::content);
    hits.offered().forEach(note -> add(rule, note.record(), note.scores()));
    return hits.rest();
  }

  private void add(Rule rule, Note note, Scores found) {
    Scores scores = trusting.of(note, judging.of(note, found));
    conflicts.ifPresent(known -> known.add(note, scores.trust().orElseThrow()));
    Body body = Bodies.of(note);
    add(
        new Content(
            new Candidate(
                SourceKind.NOTE,
                note.id(),
                note.version(),
                rule.section().name(),
                rule.section().priority(),
                scores,
                note.recordedAt(),
                0,
                note.entity(),
                Optional.empty(),
                body.hash()),
            body));
  }

  private Rest scopes(Rule rule) {
    RecordFilter filter = filter(rule);
    Set<Id> conversation = reading.line(asked.current());
    if (!searches(rule)) {
      Cap cap = newest(rule);
      List<Scope> seen = scopes(filter, conversation, cap.looked(rule.ahead()));
      cap.of(seen).forEach(scope -> add(rule, scope, scores(SourceKind.SCOPE, scope.id())));
      int beyond = beyond(cap, seen.size());
      return rest(rule, cap, seen.size(), beyond, own(Scope.TABLE, "sequence"));
    }
    Hits<Scope> hits =
        found.searched()
            ? hits(
                rule,
                Scope.TABLE,
                scope ->
                    Optional.of(scope)
                        .filter(found -> !conversation.contains(found.id()))
                        .flatMap(
                            found ->
                                of(found.trajectory())
                                    .flatMap(at -> at.shown(found).stream())
                                    .findFirst())
                        .filter(filter::passes))
            : byWords(rule, limit -> scopes(filter, conversation, limit), Gathering::summary);
    hits.offered().forEach(scope -> add(rule, scope.record(), scope.scores()));
    return hits.rest();
  }

  /** Those of the trajectory, then those of its ancestors. */
  private List<Scope> scopes(RecordFilter filter, Set<Id> conversation, int limit) {
    List<Scope> all =
        new ArrayList<>(reading.scopes(asked.trajectory(), filter, conversation, limit));
    for (Ancestor ancestor : asked.ancestors()) {
      int left = Math.max(0, limit - all.size());
      all.addAll(
          ancestor.seenBy(reading).scopes(ancestor.trajectory(), filter, conversation, left));
    }
    return all;
  }

  private static String summary(Scope scope) {
    return Bodies.of(scope).map(Body::words).orElse("");
  }

  private void add(Rule rule, Scope scope, Scores scores) {
    Bodies.of(scope).ifPresent(body -> add(candidate(rule, scope, scores, body)));
  }

  private Content candidate(Rule rule, Scope scope, Scores scores, Body body) {
    return new Content(
        new Candidate(
            SourceKind.SCOPE,
            scope.id(),
            0,
            rule.section().name(),
            rule.section().priority(),
            trusting.of(scope, scores),
            scope.closedAt().orElse(scope.openedAt()),
            scope.sequence(),
            "scope",
            Optional.empty(),
            body.hash()),
        body);
  }

  private Rest trajectory(Rule rule) {
    reading
        .trajectory(asked.trajectory())
        .filter(filter(rule)::passes)
        .ifPresent(own -> add(rule, own));
    return Rest.NONE;
  }

  private void add(Rule rule, Trajectory own) {
    Body body = Bodies.of(own);
    add(
        new Content(
            new Candidate(
                SourceKind.TRAJECTORY,
                own.id(),
                0,
                rule.section().name(),
                rule.section().priority(),
                trusting.of(own, unsearched()),
                own.createdAt(),
                0,
                "trajectory",
                Optional.empty(),
                body.hash()),
            body));
  }

  /** A record that two rules bring belongs to the first of them. */
  private void add(Content content) {
    if (taken.add(key(content.candidate().kind(), content.candidate().id()))) {
      candidates.add(content);
    }
  }

  private static String key(SourceKind kind, Id id) {
    return kind + " " + id;
  }

  private record Scored<T>(T record, Scores scores) {}

  /**
   * What a search brought of what may be shown.
   *
   * @param all best first
   * @param cap how many are offered
   * @param open where the search ended before all was seen
   */
  private record Hits<T>(List<Scored<T>> all, Cap cap, Optional<Cap> open) {
    List<Scored<T>> offered() {
      return cap.of(all);
    }

    Rest rest() {
      int more = beyond(cap, all.size());
      if (open.isEmpty()) {
        return Rest.counted(more, cap);
      }
      return Rest.atLeast(more, more == 0 ? open.get() : cap);
    }
  }

  private <T> Hits<T> hits(Rule rule, Table<T> table, Function<T, Optional<T>> shown) {
    SourceKind kind = rule.section().kind();
    return hits(rule, found.of(kind), table, shown, found.cut().contains(kind));
  }

  private <T> Hits<T> hits(
      Rule rule,
      List<SearchHit> brought,
      Table<T> table,
      Function<T, Optional<T>> shown,
      boolean cut) {
    List<Scored<T>> all =
        brought.stream()
            .map(hit -> new Scored<>(hit, scores(hit)))
            .filter(hit -> hit.scores().relevance() >= threshold(rule))
            .flatMap(
                hit ->
                    reading
                        .find(table, hit.record().key())
                        .flatMap(shown)
                        .map(record -> new Scored<>(record, hit.scores()))
                        .stream())
            .toList();
    Cap searched =
        rule.filter().isEmpty() ? rule.limit() : Cap.candidates(config.assembly().candidateLimit());
    return new Hits<>(all, rule.limit(), cut ? Optional.of(searched) : Optional.empty());
  }

  private <T> Hits<T> byWords(Rule rule, IntFunction<List<T>> newest, Function<T, String> words) {
    List<T> seen = newest.apply(asked.looked());
    List<Scored<T>> all =
        WordRanked.of(asked.query().orElseThrow(), seen, words).stream()
            .filter(ranked -> config.relevance().neutral() >= threshold(rule))
            .map(
                ranked ->
                    new Scored<>(
                        ranked.record(), Scores.of(ranked.score(), config.relevance().neutral())))
            .toList();
    Cap looked = new Cap(asked.looked(), Optional.of("memory.recall.candidates"));
    return new Hits<>(
        all, rule.limit(), seen.size() < asked.looked() ? Optional.empty() : Optional.of(looked));
  }

  /** Of what was not found by searching, but may have been found nevertheless. */
  private Scores scores(SourceKind kind, Id id) {
    return found.of(kind, id).map(this::scores).orElseGet(this::unsearched);
  }

  private Scores scores(SearchHit hit) {
    return new Scores(
        hit.score(),
        hit.similarity().orElse(config.relevance().neutral()),
        hit.channels(),
        Optional.empty(),
        Optional.empty());
  }

  private Scores unsearched() {
    return asked.query().isPresent() ? Scores.of(0, config.relevance().neutral()) : Scores.of(1, 1);
  }
}
