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
   * @param looked without an index: how many of the newest records are ranked by their words
   */
  record Asked(
      Id trajectory,
      Optional<Id> current,
      List<Ancestor> ancestors,
      Optional<String> query,
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
  record Gathered(List<Content> candidates, List<Section> sections, List<NoteConflict> conflicts) {
    Gathered {
      candidates = List.copyOf(candidates);
      sections = List.copyOf(sections);
      conflicts = List.copyOf(conflicts);
    }
  }

  Gathered gather(List<Rule> rules) {
    List<Section> sections =
        rules.stream().map(rule -> rule.section().beyond(offer(rule))).toList();
    return new Gathered(
        candidates, sections, conflicts.map(NoteConflicts::all).orElseGet(List::of));
  }

  /** Adds the rule's candidates; answers how many there are beyond the limit, at least. */
  private int offer(Rule rule) {
    return switch (rule.section().kind()) {
      case TURN -> turns(rule);
      case ARTIFACT -> artifacts(rule);
      case NOTE -> notes(rule);
      case SCOPE -> scopes(rule);
      case TRAJECTORY -> trajectory(rule);
      case SYSTEM -> 0;
    };
  }

  private RecordFilter filter(Rule rule) {
    return new RecordFilter(rule.filter(), reading.at(), asked.trajectory());
  }

  /** How many of the newest a rule wants that does not search. */
  private int newest(Rule rule) {
    int most = config.assembly().candidateLimit();
    return switch (rule.mode()) {
      case InjectionMode.TopK(var count) -> Math.min(count, most);
      case InjectionMode.Relevant _ -> Math.min(config.relevance().recencyLimit(), most);
      case InjectionMode.Full _, InjectionMode.Summary _ -> most;
    };
  }

  private boolean searches(Rule rule) {
    return rule.isRelevant() && asked.query().isPresent();
  }

  private double threshold(Rule rule) {
    return rule.mode() instanceof InjectionMode.Relevant(var least) ? least : 0;
  }

  private int turns(Rule rule) {
    if (!searches(rule)) {
      return rule.unasked() ? dialogue(rule) : 0;
    }
    RecordFilter filter = filter(rule);
    List<Scored<Turn>> hits =
        found.searched()
            ? hits(rule, Turn.TABLE, turn -> Optional.of(turn).filter(reading::isShown))
            : byWords(
                rule, limit -> reading.turnsIn(asked.trajectory(), filter, limit), Turn::words);
    List<Scored<Turn>> passing = hits.stream().filter(hit -> filter.passes(hit.record())).toList();
    List<Turn> all = paired(passing.stream().map(Scored::record).toList());
    Bundles bundles = Bundles.of(all);
    passing.stream()
        .limit(rule.limit())
        .forEach(hit -> add(rule, bundles.with(hit.record(), all), hit.scores(), bundles));
    return Math.max(0, passing.size() - rule.limit());
  }

  /** Turns that come together; where a rule before has taken one of them, it has taken all. */
  private void add(Rule rule, List<Turn> together, Scores scores, Bundles bundles) {
    if (together.stream().noneMatch(turn -> taken.contains(key(SourceKind.TURN, turn.id())))) {
      int priority = rule.section().priority();
      together.forEach(turn -> add(candidate(rule, turn, scores, bundles, priority)));
    }
  }

  /** The conversation at hand; what the user has said last comes first of all. */
  private int dialogue(Rule rule) {
    int limit = newest(rule);
    List<Turn> turns =
        rule.mode() instanceof InjectionMode.Full
            ? asked
                .current()
                .map(scope -> reading.conversation(scope, filter(rule), limit))
                .orElse(List.of())
            : reading.turnsIn(asked.trajectory(), filter(rule), limit);
    List<Turn> all = completed(turns);
    Bundles bundles = Bundles.of(all);
    Optional<Turn> said = turns.stream().filter(turn -> turn.role() == Role.USER).findFirst();
    for (Turn turn : all) {
      int priority = said.filter(turn::equals).isPresent() ? user(rule) : rule.section().priority();
      add(candidate(rule, turn, Scores.of(1, 1), bundles, priority));
    }
    return turns.size() < limit ? 0 : beyond(rule, turns.size());
  }

  private int user(Rule rule) {
    return Math.max(rule.section().priority(), config.priorities().user());
  }

  private int beyond(Rule rule, int taken) {
    boolean full = rule.mode() instanceof InjectionMode.Full;
    long all =
        full && asked.current().isPresent()
            ? reading
                .snapshot()
                .count(Query.over(Turn.TABLE, "scope", "sequence").equal(asked.current().get()))
            : taken;
    return (int) Math.max(0, all - taken);
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
    Body body = Bodies.of(turn);
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
            bundles.of(turn),
            body.hash()),
        body);
  }

  private int artifacts(Rule rule) {
    RecordFilter filter = filter(rule);
    int limit = config.assembly().candidateLimit();
    List<Scored<Artifact>> all;
    if (searches(rule) && found.searched()) {
      all =
          hits(
              rule,
              Artifact.TABLE,
              made -> Optional.of(made).filter(reading::isShown).filter(filter::passes));
    } else if (searches(rule)) {
      all = byWords(rule, most -> artifacts(filter, most), made -> Bodies.of(made).words());
    } else {
      all =
          artifacts(filter, newest(rule)).stream()
              .map(made -> new Scored<>(made, scores(SourceKind.ARTIFACT, made.id())))
              .toList();
    }
    int most = searches(rule) ? rule.limit() : limit;
    all.stream().limit(most).forEach(made -> add(rule, made.record(), made.scores()));
    return searches(rule) || all.size() < limit ? Math.max(0, all.size() - most) : 1;
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

  private int notes(Rule rule) {
    RecordFilter filter = filter(rule);
    List<Scored<Note>> all;
    int most = searches(rule) ? rule.limit() : newest(rule);
    if (searches(rule) && found.searched()) {
      all = hits(rule, Note.TABLE, note -> reading.shown(note).filter(filter::passes));
    } else if (searches(rule)) {
      all = byWords(rule, limit -> reading.notes(filter, limit), Note::content);
    } else {
      all =
          reading.notes(filter, most + 1).stream()
              .map(note -> new Scored<>(note, Scores.of(1, 1)))
              .toList();
    }
    all.stream().limit(most).forEach(note -> add(rule, note.record(), note.scores()));
    return Math.max(0, all.size() - most);
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

  private int scopes(Rule rule) {
    int most = newest(rule);
    int limit = most + 1;
    Set<Id> conversation = reading.line(asked.current());
    List<Scope> all =
        new ArrayList<>(reading.scopes(asked.trajectory(), filter(rule), conversation, limit));
    for (Ancestor ancestor : asked.ancestors()) {
      all.addAll(
          ancestor
              .seenBy(reading)
              .scopes(
                  ancestor.trajectory(),
                  filter(rule),
                  conversation,
                  Math.max(0, limit - all.size())));
    }
    all.stream()
        .limit(most)
        .forEach(scope -> Bodies.of(scope).ifPresent(body -> add(rule, scope, body)));
    return Math.max(0, all.size() - most);
  }

  private void add(Rule rule, Scope scope, Body body) {
    add(
        new Content(
            new Candidate(
                SourceKind.SCOPE,
                scope.id(),
                0,
                rule.section().name(),
                rule.section().priority(),
                trusting.of(scope, unsearched()),
                scope.closedAt().orElse(scope.openedAt()),
                scope.sequence(),
                "scope",
                Optional.empty(),
                body.hash()),
            body));
  }

  private int trajectory(Rule rule) {
    reading
        .trajectory(asked.trajectory())
        .filter(filter(rule)::passes)
        .ifPresent(own -> add(rule, own));
    return 0;
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

  private <T> List<Scored<T>> hits(Rule rule, Table<T> table, Function<T, Optional<T>> shown) {
    return found.of(rule.section().kind()).stream()
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
  }

  private <T> List<Scored<T>> byWords(
      Rule rule, IntFunction<List<T>> newest, Function<T, String> words) {
    return WordRanked.of(asked.query().orElseThrow(), newest.apply(asked.looked()), words).stream()
        .filter(ranked -> config.relevance().neutral() >= threshold(rule))
        .map(
            ranked ->
                new Scored<>(
                    ranked.record(), Scores.of(ranked.score(), config.relevance().neutral())))
        .toList();
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
