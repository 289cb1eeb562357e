package dev.caliber.server.operation;

import dev.caliber.agents.Agent;
import dev.caliber.agents.Lease;
import dev.caliber.agents.LeaseWait;
import dev.caliber.agents.Message;
import dev.caliber.agents.MessageState;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.JobState;
import dev.caliber.store.Jobs;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How a space stands: what is in it now, and how it came to that. */
final class OverviewOperations {
  private final Rooms rooms;
  private final Limit steps;

  private OverviewOperations(Rooms rooms, Limit steps) {
    this.rooms = rooms;
    this.steps = steps;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    OverviewOperations here =
        new OverviewOperations(rooms, new Limit("server.limits.page", limits.page()));
    return List.of(
        Operation.<Whole, Overview>reading(
                "overview",
                "What is in a space now: counts, open work, and how far the index is behind.",
                Whole.class,
                (caller, _) -> here.overview(caller))
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "activity",
                "What was said, learned and composed in a period, step by step.",
                Span.class,
                here::activity)
            .forAgents(Needs.NOTHING));
  }

  /** Nothing in particular. */
  record Whole() {}

  /**
   * A space as it is.
   *
   * @param trajectories by status
   * @param records how many there are, by table
   * @param messages on the way or given up, by state
   * @param jobs by state
   */
  record Overview(
      long sequence,
      Map<String, Long> trajectories,
      Map<String, Long> records,
      Map<String, Long> messages,
      Map<String, Long> jobs,
      Indexed index) {}

  /**
   * How the search index stands.
   *
   * @param behind commits that it has not applied
   * @param backlog documents that wait for vectors
   */
  record Indexed(
      long documents,
      long vectors,
      long behind,
      long backlog,
      long failed,
      long bytes,
      Optional<String> model,
      Optional<String> degraded) {
    static Indexed of(SearchStatus status) {
      return new Indexed(
          status.documents(),
          status.vectors(),
          Math.max(0, status.head() - status.applied()),
          status.backlog(),
          status.failed(),
          status.bytes(),
          status.model(),
          status.degraded());
    }
  }

  private Overview overview(Caller caller) {
    Indexed index = Indexed.of(rooms.index().status(caller.space()));
    return rooms.store().read(caller.space(), snapshot -> overview(snapshot, index));
  }

  private static Overview overview(Snapshot snapshot, Indexed index) {
    Map<String, Long> trajectories = new TreeMap<>();
    for (TrajectoryStatus status : TrajectoryStatus.values()) {
      trajectories.put(
          status.name(),
          snapshot.count(
              Query.over(Trajectory.TABLE, "status", "updated_at").equal(status.name())));
    }
    Map<String, Long> jobs = new TreeMap<>();
    for (JobState state : List.of(JobState.READY, JobState.RUNNING, JobState.DEAD)) {
      jobs.put(
          state.name(),
          snapshot.count(Query.over(Jobs.TABLE, "state", "kind").equal(state.name())));
    }
    Map<String, Long> records = new TreeMap<>();
    COUNTED.forEach(table -> records.put(table.name(), snapshot.count(Query.over(table))));
    return new Overview(
        snapshot.sequence(), trajectories, records, messages(snapshot), jobs, index);
  }

  private static Map<String, Long> messages(Snapshot snapshot) {
    Map<String, Long> messages = new TreeMap<>();
    for (MessageState state : WAITING) {
      messages.put(
          state.name(),
          snapshot.count(Query.over(Message.TABLE, "state", "sequence").equal(state.name())));
    }
    return messages;
  }

  private static final List<MessageState> WAITING =
      List.of(MessageState.PENDING, MessageState.DELIVERED, MessageState.DEAD);

  private static final List<Table<?>> COUNTED =
      List.of(
          Turn.TABLE,
          Artifact.TABLE,
          Note.TABLE,
          Window.TABLE,
          Agent.TABLE,
          Lease.TABLE,
          LeaseWait.TABLE);

  /** A period, and into how many steps of the same length it is cut. */
  record Span(Instant from, Instant until, int steps) {}

  /**
   * A period, step by step.
   *
   * @param complete false when there was more than one answer reads: tokens are then those of the
   *     newest turns
   */
  record Activity(Instant from, Instant until, boolean complete, List<Step> steps) {}

  /**
   * One step.
   *
   * @param made records that were made in it, by table
   * @param there records that were there at its end, by table
   */
  record Step(
      Instant from,
      long tokensInput,
      long tokensOutput,
      Map<String, Long> made,
      Map<String, Long> there) {}

  private Activity activity(Caller caller, Span span) {
    steps.check(span.steps());
    Duration length = Duration.between(span.from(), span.until());
    if (span.steps() < 1 || length.isNegative() || length.isZero()) {
      throw ServerException.invalidInput(
          "/until", "Wanted a period that ends after it begins, in at least 1 step");
    }
    return rooms
        .store()
        .read(caller.space(), snapshot -> activity(snapshot, span, length.dividedBy(span.steps())));
  }

  private Activity activity(Snapshot snapshot, Span span, Duration step) {
    Tokens tokens = tokens(snapshot, span, step);
    List<Step> taken = new ArrayList<>();
    Map<String, Long> there = counts(snapshot, Optional.empty(), span.from());
    for (int i = 0; i < span.steps(); i++) {
      Instant from = span.from().plus(step.multipliedBy(i));
      Map<String, Long> made = counts(snapshot, Optional.of(from), from.plus(step));
      there = sum(there, made);
      taken.add(new Step(from, tokens.input()[i], tokens.output()[i], made, there));
    }
    return new Activity(span.from(), span.until(), tokens.complete(), taken);
  }

  private static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
    Map<String, Long> sum = new TreeMap<>(one);
    other.forEach((table, count) -> sum.merge(table, count, Long::sum));
    return sum;
  }

  private static Map<String, Long> counts(
      Snapshot snapshot, Optional<Instant> from, Instant until) {
    Map<String, Long> counts = new TreeMap<>();
    for (Table<?> table : GROWING) {
      counts.put(table.name(), count(snapshot, table, from, until));
    }
    return counts;
  }

  /** Ids are in the order of their making, so that a range of keys is a period. */
  private static long count(
      Snapshot snapshot, Table<?> table, Optional<Instant> from, Instant until) {
    Query<?> all = Query.over(table).until(Id.earliest(until).toString());
    return snapshot.count(
        from.<Query<?>>map(start -> all.from(Id.earliest(start).toString())).orElse(all));
  }

  private static final List<Table<?>> GROWING =
      List.of(Trajectory.TABLE, Turn.TABLE, Artifact.TABLE, Note.TABLE, Window.TABLE);

  /** Tokens by step. */
  @SuppressWarnings("ArrayRecordComponent") // filled while turns are read, compared by nobody
  private record Tokens(long[] input, long[] output, boolean complete) {
    void add(int step, Turn turn) {
      (turn.role() == Role.ASSISTANT ? output : input)[step] += turn.tokens();
    }
  }

  /** From the newest turn back, as many pages as a page has records. */
  private Tokens tokens(Snapshot snapshot, Span span, Duration step) {
    int size = (int) steps.max();
    Query<Turn> query =
        Query.over(Turn.TABLE)
            .from(Id.earliest(span.from()).toString())
            .until(Id.earliest(span.until()).toString())
            .descending();
    Tokens tokens = new Tokens(new long[span.steps()], new long[span.steps()], true);
    Page<Turn> page = snapshot.scan(query, size);
    for (int pages = 1; ; pages++) {
      for (Turn turn : page.records()) {
        long past = Duration.between(span.from(), turn.createdAt()).dividedBy(step);
        tokens.add(Math.clamp(past, 0, span.steps() - 1), turn);
      }
      if (page.next().isEmpty() || pages == size) {
        return new Tokens(tokens.input(), tokens.output(), page.next().isEmpty());
      }
      page = snapshot.scan(query.resume(page.next().get()), size);
    }
  }
}
