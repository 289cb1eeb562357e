package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.TrajectoryStatus;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.job.JobState;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The operations that summarise a space: its present content, and its activity over time. */
final class OverviewOperations {
  private final ServerModules modules;
  private final Limit steps;

  private OverviewOperations(ServerModules modules, Limit steps) {
    this.modules = modules;
    this.steps = steps;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    OverviewOperations here =
        new OverviewOperations(modules, new Limit("server.limits.page-size", limits.pageSize()));
    return List.of(
        Operation.readOnly("get_overview", NoInput.class, (caller, _) -> here.overview(caller))
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly("get_activity", ActivityRequest.class, here::activity)
            .forAgents(RequiredPermissions.NOTHING));
  }

  /**
   * The present content of a space.
   *
   * @param trajectories by status
   * @param records the number of records by table
   * @param messages undelivered and dead messages by state
   * @param jobs by state
   */
  record SpaceOverview(
      long sequence,
      Map<String, Long> trajectories,
      Map<String, Long> records,
      Map<String, Long> messages,
      Map<String, Long> jobs,
      IndexOverview index) {}

  /**
   * The state of the search index.
   *
   * @param behind the commits that it has not applied
   * @param backlog the documents that wait for vectors
   */
  record IndexOverview(
      long documents,
      long vectors,
      long behind,
      long backlog,
      long failed,
      long bytes,
      Optional<String> model,
      Optional<String> degraded) {
    static IndexOverview of(SearchStatus status) {
      return new IndexOverview(
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

  private SpaceOverview overview(Caller caller) {
    IndexOverview index = IndexOverview.of(modules.index().status(caller.space()));
    return modules.store().read(caller.space(), snapshot -> overview(snapshot, index));
  }

  private static SpaceOverview overview(Snapshot snapshot, IndexOverview index) {
    Map<String, Long> records = new TreeMap<>();
    COUNTED.forEach(table -> records.put(table.name(), snapshot.count(Query.over(table))));
    return new SpaceOverview(
        snapshot.sequence(),
        countsByState(
            snapshot,
            List.of(TrajectoryStatus.values()),
            Query.over(Trajectory.TABLE, "status", "updated_at")),
        records,
        countsByState(snapshot, WAITING, Query.over(Message.TABLE, "state", "sequence")),
        countsByState(snapshot, OPEN, Query.over(Jobs.TABLE, "state", "kind")),
        index);
  }

  private static Map<String, Long> countsByState(
      Snapshot snapshot, List<? extends Enum<?>> states, Query<?> byState) {
    Map<String, Long> counts = new TreeMap<>();
    states.forEach(state -> counts.put(state.name(), snapshot.count(byState.equal(state.name()))));
    return counts;
  }

  private static final List<JobState> OPEN =
      List.of(JobState.READY, JobState.RUNNING, JobState.DEAD);

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
          LeaseQueueEntry.TABLE);

  /** A period, divided into equal steps. */
  record ActivityRequest(Instant from, Instant until, int steps) {}

  /**
   * The activity of a period.
   *
   * @param complete false if the period has more turns than one answer reads; the tokens are then
   *     those of the newest turns
   */
  record SpaceActivity(Instant from, Instant until, boolean complete, List<ActivityStep> steps) {}

  /**
   * One step.
   *
   * @param made the number of records created in the step, by table
   * @param there the number of records at its end, by table
   */
  record ActivityStep(
      Instant from,
      long tokensInput,
      long tokensOutput,
      Map<String, Long> made,
      Map<String, Long> there) {}

  private SpaceActivity activity(Caller caller, ActivityRequest activityRequest) {
    steps.requireWithin(activityRequest.steps());
    Duration length = Duration.between(activityRequest.from(), activityRequest.until());
    if (activityRequest.steps() < 1 || length.isNegative() || length.isZero()) {
      throw ServerException.invalidInput(
          "/until", "Expected a period that ends after it begins, in at least 1 step");
    }
    return modules
        .store()
        .read(
            caller.space(),
            snapshot ->
                activity(snapshot, activityRequest, length.dividedBy(activityRequest.steps())));
  }

  private SpaceActivity activity(
      Snapshot snapshot, ActivityRequest activityRequest, Duration step) {
    StepTokenCounts stepTokenCounts = countTokens(snapshot, activityRequest, step);
    List<ActivityStep> taken = new ArrayList<>();
    Map<String, Long> there = recordCounts(snapshot, Optional.empty(), activityRequest.from());
    for (int i = 0; i < activityRequest.steps(); i++) {
      Instant from = activityRequest.from().plus(step.multipliedBy(i));
      Map<String, Long> made = recordCounts(snapshot, Optional.of(from), from.plus(step));
      there = addCounts(there, made);
      taken.add(
          new ActivityStep(
              from, stepTokenCounts.input()[i], stepTokenCounts.output()[i], made, there));
    }
    return new SpaceActivity(
        activityRequest.from(), activityRequest.until(), stepTokenCounts.complete(), taken);
  }

  private static Map<String, Long> addCounts(Map<String, Long> one, Map<String, Long> other) {
    Map<String, Long> sum = new TreeMap<>(one);
    other.forEach((table, count) -> sum.merge(table, count, Long::sum));
    return sum;
  }

  private static Map<String, Long> recordCounts(
      Snapshot snapshot, Optional<Instant> from, Instant until) {
    Map<String, Long> counts = new TreeMap<>();
    for (Table<?> table : GROWING) {
      counts.put(table.name(), countRecords(snapshot, table, from, until));
    }
    return counts;
  }

  /** Counts records by a range of keys, because ids are in the order of their creation. */
  private static long countRecords(
      Snapshot snapshot, Table<?> table, Optional<Instant> from, Instant until) {
    Query<?> all = Query.over(table).until(Id.smallestAt(until).toString());
    return snapshot.count(
        from.<Query<?>>map(start -> all.from(Id.smallestAt(start).toString())).orElse(all));
  }

  private static final List<Table<?>> GROWING =
      List.of(Trajectory.TABLE, Turn.TABLE, Artifact.TABLE, Note.TABLE, Window.TABLE);

  /** The tokens of each step. */
  @SuppressWarnings("ArrayRecordComponent") // filled while turns are read, never compared
  private record StepTokenCounts(long[] input, long[] output, boolean complete) {
    void addTurn(int step, Turn turn) {
      (turn.role() == TurnRole.ASSISTANT ? output : input)[step] += turn.tokens();
    }
  }

  /** Reads turns from the newest back, at most as many pages as a page has records. */
  private StepTokenCounts countTokens(
      Snapshot snapshot, ActivityRequest activityRequest, Duration step) {
    int size = (int) steps.max();
    Query<Turn> query =
        Query.over(Turn.TABLE)
            .from(Id.smallestAt(activityRequest.from()).toString())
            .until(Id.smallestAt(activityRequest.until()).toString())
            .descending();
    StepTokenCounts stepTokenCounts =
        new StepTokenCounts(
            new long[activityRequest.steps()], new long[activityRequest.steps()], true);
    Page<Turn> page = snapshot.scan(query, size);
    for (int pages = 1; ; pages++) {
      for (Turn turn : page.records()) {
        long past = Duration.between(activityRequest.from(), turn.createdAt()).dividedBy(step);
        stepTokenCounts.addTurn(Math.clamp(past, 0, activityRequest.steps() - 1), turn);
      }
      if (page.next().isEmpty() || pages == size) {
        return new StepTokenCounts(
            stepTokenCounts.input(), stepTokenCounts.output(), page.next().isEmpty());
      }
      page = snapshot.scan(query.resume(page.next().get()), size);
    }
  }
}
