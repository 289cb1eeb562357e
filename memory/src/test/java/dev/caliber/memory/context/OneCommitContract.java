package dev.caliber.memory.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.candidate.SectionRuleFactory;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.ConfigDeployment;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.DeployedConfigs;
import dev.caliber.testkit.EachEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Windows under concurrent writes: each is of one commit. */
@EachEngine
class OneCommitContract extends ContextFixture {
  private static final AuditStamp STAMP = AuditStamp.of("ada");

  /** Notes, turns, artifacts and summaries are searched one after the other. */
  private static final int ROUND = 4;

  private static final int READERS = 3;
  private static final int COMMITS = 60;
  private static final int SCOPE_AFTER = 10;

  @Override
  DeployedConfigs policies() {
    Deployments deployments = Deployments.of(store);
    return DeployedConfigs.of(
        snapshot -> deployments.activeVersion(snapshot).map(StoredConfig::config),
        (snapshot, time) -> deployments.activeVersion(snapshot, time).map(StoredConfig::config));
  }

  private Trajectory tell() {
    Trajectory task = start();
    say(scopeOf(task), "The lion sleeps in the house.");
    make(scopeOf(task), "The house has a door.");
    goOn(task, "The zebra lives in the garden.");
    say(scopeOf(task), "It eats grass all day.");
    learn("zebra", "The zebra sleeps standing.");
    learn("owl", "The owl sees the zebra at night.");
    return task;
  }

  /** Runs {@code what} once, after this number of searches. */
  private void after(int searches, Runnable what) {
    search()
        .meanwhile(
            () -> {
              if (search().searches() == searches) {
                what.run();
              }
            });
  }

  private Turn goOn(Trajectory task, String words) {
    memory.run(SPACE, CloseScope.of(scopeOf(task).id()));
    Scope next = memory.run(SPACE, new OpenScope(task.id()));
    return memory.run(SPACE, AppendTurns.of(next.id(), NewTurn.user(words))).getFirst();
  }

  /** Assembles again without concurrent changes. */
  private AssembledWindow quietly(AssembleRequest request) {
    search().meanwhile(() -> {});
    return assemble(request);
  }

  @Test
  @DisplayName("CON-01: a scope that is closed while a window is searched is no longer the one")
  void aScopeIsClosedMeanwhile() {
    Trajectory task = tell();
    Turn early = say(scopeOf(task), "A zebra has stripes.");
    AssembleRequest request = ask(task, "zebra").withDryRun();
    List<Turn> said = new ArrayList<>();
    after(ROUND, () -> said.add(goOn(task, "Where is the zebra now?")));
    AssembledWindow made = assemble(request);
    assertThat(search().searches()).isEqualTo(2 * ROUND);
    assertThat(line(made, said.getFirst().id()).candidate().section()).isEqualTo("conversation");
    assertThat(line(made, early.id()).candidate().section()).isEqualTo("recalled");
    assertThat(made.window().inputs().degraded().orElse("")).doesNotContain("commit");
    assertThat(made).isEqualTo(quietly(request));
  }

  @Test
  @DisplayName("CON-01: what is deployed while a window is searched holds for all of it")
  void aConfigIsDeployedMeanwhile() {
    Trajectory task = tell();
    AssembleRequest request = ask(task, "zebra").withDryRun();
    deploy(rule("facts", new InjectionMode.RelevantInjection(0), 50, 4000));
    CompiledConfig config = deployed.orElseThrow();
    after(ROUND, () -> activate(config));
    AssembledWindow made = assemble(request);
    assertThat(search().searches()).isEqualTo(2 * ROUND);
    assertThat(made.window().inputs().configuration()).contains(config.hash());
    assertThat(made.window().recipe().sections())
        .extracting(WindowSection::name)
        .contains("facts")
        .doesNotContain("notes");
    assertThat(made).isEqualTo(quietly(request));
  }

  private void activate(CompiledConfig config) {
    Deployments deployments = Deployments.of(store);
    StoredConfig stored =
        deployments
            .deploy(SPACE, new ConfigDeployment("main", "", "{}", config, Optional.empty(), STAMP))
            .config();
    deployments.activate(
        SPACE, new Deployments.ConfigActivation(stored.name(), stored.version(), STAMP));
  }

  @Test
  @DisplayName("CON-01: who finds other rules each time stops searching, and says so")
  void somethingChangesEachTime() {
    Trajectory task = tell();
    List<Turn> said = new ArrayList<>();
    search()
        .meanwhile(
            () -> {
              if (search().searches() % ROUND == 0) {
                said.add(goOn(task, "Where is the zebra now?"));
              }
            });
    AssembledWindow made = assemble(ask(task, "zebra"));
    assertThat(search().searches()).isEqualTo(RecordStoreAssembler.SEARCHES_BOUND * ROUND);
    assertThat(line(made, said.getLast().id()).candidate().section()).isEqualTo("conversation");
    assertThat(made.window().inputs().degraded().orElseThrow())
        .contains("searched by the injection rules and the open scope as of commit ");
    assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
  }

  @Test
  @DisplayName("CON-01: a change of neither rules nor scope causes no second search")
  void oneSearchIsEnough() {
    Trajectory task = tell();
    after(
        ROUND,
        () ->
            memory.run(
                SPACE, WriteNote.of("bee", "animal", NoteType.FACT, "The bee fears no zebra.")));
    assemble(ask(task, "zebra"));
    assertThat(search().searches()).isEqualTo(ROUND);
    search().meanwhile(() -> {});
    assemble(task);
    assertThat(search().searches()).isZero();
  }

  /** Returns the time of each commit of the writer. */
  private Map<Long, Instant> write(Trajectory task) {
    Map<Long, Instant> commits = new HashMap<>();
    commits.put(store.changes().head(SPACE).sequence(), clock.instant());
    for (int i = 0; i < COMMITS; i++) {
      clock.advance(Duration.ofSeconds(1));
      write(task, i);
      commits.put(store.changes().head(SPACE).sequence(), clock.instant());
    }
    return commits;
  }

  /** Writes one commit each time. */
  private void write(Trajectory task, int number) {
    Optional<Scope> scope = memory.view(SPACE, view -> view.currentScope(task.id()));
    if (scope.isEmpty()) {
      memory.run(SPACE, new OpenScope(task.id()));
    } else if (number % SCOPE_AFTER == SCOPE_AFTER - 1) {
      memory.run(SPACE, CloseScope.of(scope.get().id()));
    } else {
      memory.run(
          SPACE,
          AppendTurns.of(
              scope.get().id(),
              NewTurn.user("Question %d about the zebra?".formatted(number)),
              NewTurn.assistant("Answer %d about the zebra.".formatted(number))));
    }
  }

  /** Returns one window of each commit that was seen. */
  private Collection<AssembledWindow> read(AssembleRequest request, AtomicBoolean done) {
    Map<Long, AssembledWindow> made = new HashMap<>();
    while (!done.get()) {
      AssembledWindow next = assemble(request);
      made.put(next.window().inputs().sequence(), next);
    }
    return made.values();
  }

  @Test
  @DisplayName("CON-01, J-62: windows made beside a writer are each of one commit")
  void whileSomebodyWrites() throws InterruptedException, ExecutionException {
    Trajectory task = tell();
    AtomicBoolean done = new AtomicBoolean();
    List<AssembledWindow> plain = new ArrayList<>();
    List<AssembledWindow> asked = new ArrayList<>();
    Map<Long, Instant> commits;
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("window-", 0).factory())) {
      Callable<Collection<AssembledWindow>> unasked =
          () -> read(AssembleRequest.of(task.id()).withDryRun(), done);
      List<Future<Collection<AssembledWindow>>> readers =
          Stream.generate(() -> threads.submit(unasked)).limit(READERS).toList();
      Future<Collection<AssembledWindow>> asking =
          threads.submit(() -> read(ask(task, "zebra").withDryRun(), done));
      try {
        commits = write(task);
      } finally {
        done.set(true);
      }
      for (Future<Collection<AssembledWindow>> reader : readers) {
        plain.addAll(reader.get());
      }
      asked.addAll(asking.get());
    }
    assertThat(plain).isNotEmpty();
    assertThat(asked).isNotEmpty();
    Stream.concat(plain.stream(), asked.stream()).forEach(this::isWhole);
    plain.forEach(made -> isOfItsCommit(task, made, commits));
  }

  /** Checks that it has both turns of a commit or none, and replays to equal bytes. */
  private void isWhole(AssembledWindow made) {
    assertThat(assembler.replay(SPACE, made.window())).isEqualTo(made.text());
    assertThat(
            made.window().ledger().stream()
                .filter(line -> line.candidate().section().equals(SectionRuleFactory.CONVERSATION))
                .count())
        .isEven();
  }

  /** Checks that a window as of its commit shows equal contents. */
  private void isOfItsCommit(Trajectory task, AssembledWindow made, Map<Long, Instant> commits) {
    Instant then = Objects.requireNonNull(commits.get(made.window().inputs().sequence()));
    assertThat(assemble(AssembleRequest.of(task.id()).withAsOf(then).withDryRun()).text())
        .isEqualTo(made.text());
  }
}
