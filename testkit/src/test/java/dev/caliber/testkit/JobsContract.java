package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.RecordStoreContract.find;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.job.Job;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.JobRequest;
import dev.caliber.store.job.JobState;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract of jobs on every engine. */
@EachEngine
class JobsContract extends StoreFixture {

  private static final String KIND = "feed-animal";

  @Test
  void runsAJobWhenItIsDueAndNotBefore() {
    RecordStore store = open(ANIMALS);
    Jobs jobs = jobs(store);
    List<String> ran = new ArrayList<>();
    jobs.registerHandler(
        KIND,
        run -> {
          ran.add(run.job().payload());
          return transaction -> transaction.insert(ANIMALS, Animal.of("fed", "x"));
        });
    schedule(store, JobRequest.of(KIND, "\"hay\"", clock.instant().plusSeconds(60)));
    assertThat(jobs.runDue(SPACE)).isZero();
    clock.advance(Duration.ofSeconds(60));
    assertThat(jobs.runDue(SPACE)).isEqualTo(1);
    assertThat(ran).containsExactly("\"hay\"");
    assertThat(find(store, "fed")).isPresent();
    assertThat(allJobs(store)).isEmpty();
    assertThat(jobs.runDue(SPACE)).isZero();
  }

  @Test
  void leavesKindsWithoutAHandlerAlone() {
    RecordStore store = open(ANIMALS);
    Jobs jobs = jobs(store);
    schedule(store, JobRequest.of("other", "{}", clock.instant()));
    assertThat(jobs.runDue(SPACE)).isZero();
    assertThat(allJobs(store)).extracting(Job::state).containsExactly(JobState.READY);
  }

  @Test
  void countsOldJobsWithoutAHandlerAndLeavesThemToOthers() {
    RecordStore store = open(ANIMALS);
    Jobs jobs = jobs(store);
    jobs.registerHandler(KIND, _ -> JobEffect.none());
    schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    schedule(store, JobRequest.of("other", "{}", clock.instant()));
    Id another = schedule(store, JobRequest.of("other-one", "{}", clock.instant()));
    assertThat(jobs.countUnhandled(SPACE)).as("another runner may come").isZero();
    clock.advance(config().jobs().backoffLimit().plusMillis(1));
    schedule(store, JobRequest.of("other", "{}", clock.instant()));
    assertThat(jobs.countUnhandled(SPACE)).isEqualTo(2);
    assertThat(allJobs(store)).extracting(Job::state).containsOnly(JobState.READY);
    Jobs newer = jobs(store);
    newer.registerHandler("other", _ -> JobEffect.none());
    assertThat(newer.runDue(SPACE)).isEqualTo(2);
    assertThat(jobs.runDue(SPACE)).isEqualTo(1);
    assertThat(allJobs(store)).extracting(Job::id).containsExactly(another);
    assertThat(jobs.countUnhandled(SPACE)).isEqualTo(1);
  }

  @Test
  void oneJobPerDeduplicationText() {
    RecordStore store = open(ANIMALS);
    JobRequest request = JobRequest.of(KIND, "{}", clock.instant()).withDeduplicationKey("same");
    Id first = schedule(store, request);
    assertThat(schedule(store, request)).isEqualTo(first);
    assertThat(allJobs(store)).hasSize(1);
    Jobs jobs = jobs(store);
    jobs.registerHandler(KIND, _ -> JobEffect.none());
    jobs.runDue(SPACE);
    assertThat(schedule(store, request)).isNotEqualTo(first);
  }

  @Test
  void triesAgainWithGrowingPausesAndThenGivesUp() {
    RecordStore store = open(ANIMALS);
    StoreConfig.JobSettings rules = config().jobs();
    Jobs jobs = jobs(store);
    AtomicInteger attempts = new AtomicInteger();
    jobs.registerHandler(
        KIND,
        _ -> {
          throw new IllegalStateException("no hay, attempt " + attempts.incrementAndGet());
        });
    Id id = schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    Duration pause = rules.backoff();
    for (int attempt = 1; attempt < rules.attemptsLimit(); attempt++) {
      assertThat(jobs.runDue(SPACE)).isEqualTo(1);
      Job failed = job(store, id);
      assertThat(failed.state()).isEqualTo(JobState.READY);
      assertThat(failed.attempts()).isEqualTo(attempt);
      assertThat(failed.due()).isEqualTo(clock.instant().plus(pause));
      clock.advance(pause);
      pause = pause.multipliedBy(2);
    }
    jobs.runDue(SPACE);
    Job dead = job(store, id);
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.lastError().orElseThrow()).contains("no hay, attempt 8");
    clock.advance(Duration.ofDays(1));
    assertThat(jobs.runDue(SPACE)).isZero();

    store.commit(
        SPACE,
        transaction -> {
          Jobs.revive(transaction, id);
        });
    assertThat(jobs.runDue(SPACE)).isEqualTo(1);
  }

  @Test
  void aFailedEffectIsAFailedAttemptAndLeavesNothing() {
    RecordStore store = open(ANIMALS);
    Jobs jobs = jobs(store);
    jobs.registerHandler(
        KIND,
        _ ->
            transaction -> {
              transaction.insert(ANIMALS, Animal.of("half", "x"));
              throw new IllegalStateException("in the middle");
            });
    Id id = schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    jobs.runDue(SPACE);
    assertThat(find(store, "half")).isEmpty();
    assertThat(job(store, id).attempts()).isEqualTo(1);
  }

  @Test
  void aRunnerThatLostItsLeaseHasNoEffect() {
    RecordStore store = open(ANIMALS);
    Jobs slow = jobs(store);
    Jobs quick = jobs(store);
    quick.registerHandler(
        KIND, _ -> transaction -> transaction.insert(ANIMALS, Animal.of("quick", "x")));
    slow.registerHandler(
        KIND,
        run -> {
          clock.advance(config().jobs().leaseDuration());
          assertThat(quick.runDue(SPACE)).isEqualTo(1);
          assertThat(run.renewLease()).isFalse();
          return transaction -> transaction.insert(ANIMALS, Animal.of("slow", "x"));
        });
    schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    slow.runDue(SPACE);
    assertThat(find(store, "quick")).isPresent();
    assertThat(find(store, "slow")).isEmpty();
    assertThat(allJobs(store)).isEmpty();
  }

  @Test
  void aRenewedLeaseIsNotTakenOver() {
    RecordStore store = open(ANIMALS);
    Jobs slow = jobs(store);
    Jobs other = jobs(store);
    other.registerHandler(KIND, _ -> JobEffect.none());
    slow.registerHandler(
        KIND,
        run -> {
          clock.advance(config().jobs().leaseDuration().dividedBy(2));
          assertThat(run.renewLease()).isTrue();
          clock.advance(config().jobs().leaseDuration().dividedBy(2));
          assertThat(other.runDue(SPACE)).isZero();
          return JobEffect.none();
        });
    schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    assertThat(slow.runDue(SPACE)).isEqualTo(1);
  }

  @Test
  void aJobWhoseRunnersAllDieIsPutAside() {
    RecordStore store = open(ANIMALS);
    Jobs jobs = jobs(store);
    jobs.registerHandler(KIND, _ -> JobEffect.none());
    Id id = schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    store.write(
        SPACE,
        transaction ->
            transaction.update(
                Jobs.TABLE,
                id,
                job ->
                    new Job(
                        job.id(),
                        job.kind(),
                        job.payload(),
                        JobState.RUNNING,
                        clock.instant(),
                        config().jobs().attemptsLimit(),
                        job.deduplication(),
                        Optional.of(id),
                        Optional.empty(),
                        job.createdAt())));
    assertThat(jobs.runDue(SPACE)).isZero();
    assertThat(job(store, id).state()).isEqualTo(JobState.DEAD);
  }

  @Test
  void aJobWithNoAttemptLeftDoesNotStopTheOthers() {
    RecordStore store = open(ANIMALS);
    Jobs patient = jobs(store);
    patient.registerHandler(
        KIND,
        _ -> {
          throw new IllegalStateException("not now");
        });
    Id tired = schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    patient.runDue(SPACE);
    clock.advance(Duration.ofMinutes(1));
    StoreConfig single =
        config().with("store.jobs.concurrency = 1", "store.jobs.attempts-limit = 1");
    Jobs strict = Jobs.of(store, single.jobs(), clock);
    strict.registerHandler(KIND, _ -> JobEffect.none());
    schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    strict.runDue(SPACE);
    strict.runDue(SPACE);
    assertThat(allJobs(store)).extracting(Job::id).containsExactly(tired);
    assertThat(job(store, tired).state()).isEqualTo(JobState.DEAD);
  }

  @Test
  void runsInTheBackgroundInEverySpaceEachJobOnce() throws Exception {
    RecordStore store = open(ANIMALS);
    store.createSpace(OTHER);
    CountDownLatch done = new CountDownLatch(20);
    AtomicInteger runs = new AtomicInteger();
    try (Jobs first = jobs(store);
        Jobs second = jobs(store)) {
      for (Jobs runner : List.of(first, second)) {
        runner.registerHandler(
            KIND,
            run -> {
              runs.incrementAndGet();
              return transaction -> {
                transaction.insert(ANIMALS, Animal.of(run.job().id().toString(), "fed"));
                done.countDown();
              };
            });
        runner.start();
      }
      for (int i = 0; i < 10; i++) {
        schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
        store.write(
            OTHER,
            transaction -> Jobs.schedule(transaction, JobRequest.of(KIND, "{}", clock.instant())));
      }
      done.await();
    }
    assertThat(runs).hasValue(20);
    assertThat(store.<Long>read(SPACE, s -> s.count(Query.over(ANIMALS)))).isEqualTo(10);
    assertThat(store.<Long>read(OTHER, s -> s.count(Query.over(ANIMALS)))).isEqualTo(10);
    assertThat(allJobs(store)).isEmpty();
  }

  @Test
  void onlyADeadJobCanBeRevived() {
    RecordStore store = open(ANIMALS);
    Id id = schedule(store, JobRequest.of(KIND, "{}", clock.instant()));
    assertThatThrownBy(
            () ->
                store.commit(
                    SPACE,
                    transaction -> {
                      Jobs.revive(transaction, id);
                    }))
        .isInstanceOf(CaliberException.class)
        .hasMessageContaining("READY");
  }

  private Jobs jobs(RecordStore store) {
    return Jobs.of(store, config().jobs(), clock);
  }

  private static Id schedule(RecordStore store, JobRequest request) {
    return store.write(SPACE, transaction -> Jobs.schedule(transaction, request));
  }

  private static Job job(RecordStore store, Id id) {
    return store.read(SPACE, snapshot -> snapshot.get(Jobs.TABLE, id));
  }

  private static List<Job> allJobs(RecordStore store) {
    return store.read(SPACE, snapshot -> snapshot.scan(Query.over(Jobs.TABLE), 100)).records();
  }
}
