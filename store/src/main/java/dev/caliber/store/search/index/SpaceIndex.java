package dev.caliber.store.search.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.search.SearchBounds;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.IndexState;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Index of one space: the generation that answers and, at times, the next one that is being built
 * beside it. One thread at a time works on it; any number may search.
 */
final class SpaceIndex {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceIndex.class);

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final SpaceId space;
  private final GenerationDirectories generationDirectories;
  private final ReentrantLock working = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();

  @GuardedBy("working")
  private @Nullable String follower;

  private volatile @Nullable GenerationFollower serving;
  private volatile @Nullable GenerationFollower building;

  /**
   * Reason why the serving generation no longer follows the feed; it answers until the next one is
   * complete.
   */
  private volatile Optional<String> staleReason = Optional.empty();

  private volatile Optional<String> troubleReason = Optional.empty();

  /** Set when a caller has asked for another generation, until that one answers. */
  private volatile boolean rebuildRequested;

  private volatile boolean closed;

  /** State of the idle index when its files were closed; null while they are open. */
  private volatile @Nullable IndexStateAtClose closedState;

  /** Counter of uses over all spaces, which tells the least recently used one. */
  private final AtomicLong uses;

  private volatile long lastUse;

  /** Number of running searches and tasks: the files stay open for them. */
  @GuardedBy("lock")
  private int users;

  private record IndexStateAtClose(IndexRecipe recipe, FeedCursor cursor) {}

  SpaceIndex(SpaceIndexDependencies spaceIndexDependencies, SpaceId space, AtomicLong uses) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.space = space;
    this.uses = uses;
    this.lastUse = uses.incrementAndGet();
    this.generationDirectories = new GenerationDirectories(spaceIndexDependencies, space);
  }

  SpaceId space() {
    return space;
  }

  /** Usage that keeps the files open until it is closed. */
  interface IndexUsage extends AutoCloseable {
    @Override
    void close();
  }

  IndexUsage beginUse() {
    lastUse = uses.incrementAndGet();
    return keepOpen();
  }

  /** Keeps the files open without counting as a use: for checks whether there is work. */
  private IndexUsage keepOpen() {
    lock.lock();
    try {
      users++;
    } finally {
      lock.unlock();
    }
    return this::endUse;
  }

  private void endUse() {
    lock.lock();
    try {
      users--;
    } finally {
      lock.unlock();
    }
  }

  long lastUse() {
    return lastUse;
  }

  boolean isOpen() {
    return serving != null || building != null;
  }

  /** Returns whether its files are closed and neither a search nor a new commit needs them. */
  boolean isClosedAndUpToDate() {
    IndexStateAtClose present = closedState;
    if (present == null) {
      return false;
    }
    lock.lock();
    try {
      if (users > 0) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    return spaceIndexDependencies.store().changes().head(space).equals(present.cursor());
  }

  /** Returns the recipe of the generation that answers, with open or closed files. */
  Optional<IndexRecipe> recipe() {
    IndexStateAtClose present = closedState;
    return servingGeneration()
        .map(Generation::recipe)
        .or(() -> Optional.ofNullable(present).map(IndexStateAtClose::recipe));
  }

  /**
   * Closes the files of an index that is not in use and has no work; the next use opens them again.
   * Returns false if it has work, or is in memory and would be lost.
   */
  boolean closeIfIdle() {
    if (!working.tryLock()) {
      return false;
    }
    try {
      GenerationFollower present = serving;
      if (closed || present == null || !isIdle(present.generation())) {
        return false;
      }
      commitAll();
      if (!detach(present.generation())) {
        return false;
      }
      close(present);
      generationDirectories.close();
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Space {}: the idle search index could not be closed. Cause: {}", space, e.getMessage());
      return false;
    } finally {
      working.unlock();
    }
  }

  @GuardedBy("working")
  private boolean isIdle(Generation generation) throws IOException {
    return generation.path().isPresent()
        && building == null
        && degradedReason().isEmpty()
        && !needsAnother()
        && !generation.isSuspect()
        && (!generation.recipe().fits(spaceIndexDependencies.embedder())
            || generation.pendingDocuments(1).isEmpty());
  }

  /** Hides the generation from new searches; returns false if one is using it. */
  @GuardedBy("working")
  private boolean detach(Generation generation) {
    lock.lock();
    try {
      if (users > 0) {
        return false;
      }
      closedState = new IndexStateAtClose(generation.recipe(), generation.state().cursor());
      serving = null;
      follower = null;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the generation that answers: the complete one, or else the one that is being built. */
  Optional<Generation> servingGeneration() {
    GenerationFollower complete = serving;
    GenerationFollower next = building;
    return Optional.ofNullable(complete == null ? next : complete)
        .map(GenerationFollower::generation);
  }

  /**
   * Returns the generation that answers, if it is authoritative about missing documents: it is
   * complete, follows, holds this commit, has vectors of the present embedder for all its
   * documents, and no other is being built.
   */
  Optional<Generation> completeGenerationAt(FeedCursor commit) {
    GenerationFollower complete = serving;
    if (complete == null || building != null || degradedReason().isPresent()) {
      return Optional.empty();
    }
    return Optional.of(complete.generation())
        .filter(generation -> generation.state().cursor().epoch() == commit.epoch())
        .filter(generation -> generation.state().cursor().sequence() >= commit.sequence())
        .filter(generation -> generation.recipe().fits(spaceIndexDependencies.embedder()))
        .filter(SpaceIndex::isEmbedded);
  }

  /**
   * Returns whether it has a model: one indexed without an embedder does not know which vectors it
   * will use.
   */
  private static boolean isEmbedded(Generation generation) {
    try {
      return generation.count(IndexFormatV1.PENDING) == 0;
    } catch (IOException e) {
      throw SearchException.unreadable("Counting documents that wait for vectors", e);
    }
  }

  Optional<Generation> buildingGeneration() {
    return Optional.ofNullable(building).map(GenerationFollower::generation);
  }

  /** Returns the reason why answers are incomplete; empty if there is none. */
  Optional<String> degradedReason() {
    if (troubleReason.isPresent() || staleReason.isPresent()) {
      return troubleReason.isPresent() ? troubleReason : staleReason;
    }
    return serving == null ? Optional.of("the index is still being built") : Optional.empty();
  }

  /**
   * Executes one bounded step; returns true if there may be more to do. Failures are remembered and
   * retried.
   */
  boolean runStep() {
    working.lock();
    try {
      return !closed && runStepLocked();
    } finally {
      working.unlock();
      signal();
    }
  }

  @GuardedBy("working")
  private boolean runStepLocked() {
    try {
      boolean more = step();
      troubleReason = Optional.empty();
      return more;
    } catch (AlreadyClosedException e) {
      reopen(e);
      return true;
    } catch (CaliberException | IOException e) {
      troubleReason = Optional.of(String.valueOf(e.getMessage()));
      LOG.warn("Space {}: indexing failed and will be retried. Cause: {}", space, e.getMessage());
      return false;
    } catch (RuntimeException e) {
      troubleReason = Optional.of(e.toString());
      LOG.warn("Space {}: indexing failed and will be retried", space, e);
      return false;
    }
  }

  /** Reopens the last commit after Lucene has closed a writer that could not write. */
  @GuardedBy("working")
  private void reopen(AlreadyClosedException reason) {
    LOG.warn(
        "Space {}: an error occurred in the search index, which is closed and opened again. Cause: {}",
        space,
        reason.getMessage());
    for (GenerationFollower each : followers()) {
      abandon(each);
    }
    serving = null;
    building = null;
    follower = null;
  }

  private void abandon(GenerationFollower each) {
    try {
      each.generation().closeWithoutCommit();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Space {}: a search index could not be closed. Cause: {}", space, e.getMessage());
    }
  }

  @GuardedBy("working")
  private boolean step() throws IOException {
    openIfNeeded();
    dropDamaged();
    beginGenerationIfNeeded();
    boolean more = stepGenerations();
    promoteIfReady();
    return more || hasNewerCommits();
  }

  /** Returns whether new commits keep the next generation from taking over. */
  @GuardedBy("working")
  private boolean hasNewerCommits() {
    GenerationFollower next = building;
    return next != null && next.generation().state().complete() && !hasCaughtUp(next);
  }

  @GuardedBy("working")
  private void openIfNeeded() throws IOException {
    if (follower == null) {
      String name = generationDirectories.followerName();
      adopt(generationDirectories.open());
      follower = name;
      closedState = null;
      lastUse = uses.incrementAndGet();
    }
  }

  @GuardedBy("working")
  private void adopt(List<Generation> opened) throws IOException {
    try {
      for (Generation found : opened) {
        adopt(found);
      }
      dropUnwanted();
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileSuppressingExceptions(
          e, opened.stream().map(SpaceIndex::abandoning).toList());
      serving = null;
      building = null;
      throw e;
    }
  }

  private static Closeable abandoning(Generation generation) {
    return generation::closeWithoutCommit;
  }

  /**
   * Adopts an existing generation: the newest complete one answers; a half-built one is continued
   * if its recipe is still wanted.
   */
  @GuardedBy("working")
  private void adopt(Generation found) throws IOException {
    GenerationFollower mine = new GenerationFollower(spaceIndexDependencies, space, found);
    if (found.state().complete()) {
      drop(serving);
      serving = mine;
    } else {
      drop(building);
      building = mine;
    }
  }

  @GuardedBy("working")
  private void drop(@Nullable GenerationFollower unwanted) throws IOException {
    if (unwanted != null) {
      generationDirectories.remove(unwanted.generation());
    }
  }

  /** Drops a half-built generation that was begun by another recipe. */
  @GuardedBy("working")
  private void dropUnwanted() throws IOException {
    GenerationFollower next = building;
    if (next != null && !next.generation().recipe().equals(wantedRecipe())) {
      building = null;
      drop(next);
    }
  }

  /** Verifies generations that a search could not read, and drops damaged ones. */
  @GuardedBy("working")
  private void dropDamaged() {
    for (GenerationFollower each : followers()) {
      Optional<Throwable> damage = each.generation().findDamage();
      damage.ifPresent(reason -> discard(each, reason));
    }
  }

  /** Begins a generation if none follows and none is being built. */
  @GuardedBy("working")
  private void beginGenerationIfNeeded() throws IOException {
    if (building == null && needsAnother()) {
      beginGeneration();
    }
  }

  private boolean needsAnother() {
    return serving == null
        || staleReason.isPresent()
        || rebuildRequested
        || (isOutdated() && isAutomatic());
  }

  private boolean isAutomatic() {
    return spaceIndexDependencies.config().general().migration()
        == SearchConfig.MigrationMode.AUTOMATIC;
  }

  /** Returns whether the answering generation has another recipe than the present one. */
  boolean isOutdated() {
    GenerationFollower present = serving;
    return present != null && !present.generation().recipe().equals(wantedRecipe());
  }

  private IndexRecipe wantedRecipe() {
    GenerationFollower present = serving;
    return present == null
        ? spaceIndexDependencies.recipe()
        : spaceIndexDependencies.recipeReplacing(present.generation().recipe());
  }

  @GuardedBy("working")
  private void beginGeneration() throws IOException {
    FeedCursor head = spaceIndexDependencies.store().changes().head(space);
    building =
        new GenerationFollower(
            spaceIndexDependencies,
            space,
            generationDirectories.create(wantedRecipe(), IndexState.beginning(head)));
  }

  /** Executes a step of each generation. */
  @GuardedBy("working")
  private boolean stepGenerations() throws IOException {
    boolean more = false;
    GenerationFollower present = serving;
    if (present != null && staleReason.isEmpty()) {
      more = stepServing(present);
    }
    GenerationFollower next = building;
    boolean nextMore = next != null && stepBuilding(next);
    return more || nextMore;
  }

  @GuardedBy("working")
  private boolean stepServing(GenerationFollower present) throws IOException {
    try {
      return present.step();
    } catch (StoreException e) {
      requireTruncated(e);
      LOG.info("Space {}: the search index is rebuilt. Reason: {}", space, e.getMessage());
      staleReason = Optional.of("the space's content was replaced, and the index is being rebuilt");
      return true;
    } catch (IOException | RuntimeException e) {
      requireDamage(e);
      discard(present, e);
      return true;
    }
  }

  @GuardedBy("working")
  private boolean stepBuilding(GenerationFollower next) throws IOException {
    try {
      return next.step();
    } catch (StoreException e) {
      requireTruncated(e);
      restart();
      return true;
    } catch (IOException | RuntimeException e) {
      requireDamage(e);
      rebuildRequested = true;
      discard(next, e);
      return true;
    }
  }

  private static void requireTruncated(StoreException e) {
    if (e.code() != StoreErrorCode.FEED_TRUNCATED) {
      throw e;
    }
  }

  private static void requireDamage(Exception e) throws IOException {
    if (CorruptionDetector.isCorruption(e)) {
      return;
    }
    switch (e) {
      case IOException io -> throw io;
      case RuntimeException other -> throw other;
      default -> throw new IllegalStateException("Not thrown by a step", e);
    }
  }

  /** Drops the half-built generation; the next step begins a new one. */
  @GuardedBy("working")
  private void restart() throws IOException {
    rebuildRequested = true;
    GenerationFollower unwanted = building;
    building = null;
    drop(unwanted);
  }

  @GuardedBy("working")
  private void discard(GenerationFollower damaged, Throwable reason) {
    LOG.warn(
        "Space {}: the search index is damaged and is rebuilt from the records. Cause: {}",
        space,
        reason.getMessage());
    serving = serving == damaged ? null : serving;
    building = building == damaged ? null : building;
    try {
      generationDirectories.remove(damaged.generation());
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Space {}: the files of the damaged search index could not be deleted. Cause: {}",
          space,
          e.getMessage());
    }
  }

  /** Promotes the next generation when it has applied all that the present one has. */
  @GuardedBy("working")
  private void promoteIfReady() throws IOException {
    GenerationFollower next = building;
    if (next == null || !next.generation().state().complete() || !hasCaughtUp(next)) {
      return;
    }
    if (serving != null && staleReason.isEmpty() && !next.generation().isReady()) {
      return; // the present one answers faster
    }
    next.generation().commit();
    GenerationFollower old = serving;
    serving = next;
    building = null;
    staleReason = Optional.empty();
    rebuildRequested = false;
    drop(old);
    LOG.info("Index {} of space {} is complete", next.generation().name(), space);
  }

  private boolean hasCaughtUp(GenerationFollower next) {
    FeedCursor head = spaceIndexDependencies.store().changes().head(space);
    FeedCursor reached = next.generation().state().cursor();
    return reached.epoch() == head.epoch() && reached.sequence() >= head.sequence();
  }

  /** Begins another generation though nothing has changed; the present one answers until then. */
  void rebuild() {
    working.lock();
    try {
      troubleReason = Optional.empty();
      openIfNeeded();
      restart();
      beginGenerationIfNeeded();
    } catch (IOException e) {
      throw SearchException.unreadable("Rebuilding the index of space '%s'".formatted(space), e);
    } finally {
      working.unlock();
    }
  }

  /** Begins another generation if the present one is outdated; returns false if it is not. */
  boolean migrate() {
    working.lock();
    try {
      troubleReason = Optional.empty();
      openIfNeeded();
      rebuildRequested |= isOutdated();
      beginGenerationIfNeeded();
      return building != null;
    } catch (IOException e) {
      throw SearchException.unreadable("Migrating the index of space '%s'".formatted(space), e);
    } finally {
      working.unlock();
    }
  }

  /** Returns the number of records that the next generation has read. */
  long builtRecords() {
    GenerationFollower next = building;
    return next == null ? 0 : next.scannedRecords();
  }

  /** Writes everything to disk, and acknowledges the feed up to there. */
  void commit() {
    working.lock();
    try {
      if (!closed) {
        commitAll();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Space {}: writing the search index failed. Cause: {}", space, e.getMessage());
    } finally {
      working.unlock();
    }
  }

  @GuardedBy("working")
  private void commitAll() throws IOException {
    boolean written = false;
    for (GenerationFollower each : followers()) {
      written |= each.generation().commit();
    }
    if (written && follower != null) {
      acknowledge(follower);
    }
  }

  @GuardedBy("working")
  private void acknowledge(String name) {
    followers().stream()
        .map(each -> each.generation().state().cursor())
        .filter(cursor -> staleReason.isEmpty() || cursor.epoch() == newestEpoch())
        .min((a, b) -> Long.compare(a.sequence(), b.sequence()))
        .ifPresent(
            least -> spaceIndexDependencies.store().changes().acknowledge(space, name, least));
  }

  private long newestEpoch() {
    return followers().getLast().generation().state().cursor().epoch();
  }

  private List<GenerationFollower> followers() {
    List<GenerationFollower> all = new ArrayList<>();
    Optional.ofNullable(serving).ifPresent(all::add);
    Optional.ofNullable(building).ifPresent(all::add);
    return all;
  }

  /** Returns documents that wait for vectors of the present embedder; empty if there are none. */
  Optional<PendingEmbeddings> pendingEmbeddings(int limit) {
    try (IndexUsage _ = keepOpen()) {
      return readPendingEmbeddings(limit);
    }
  }

  private Optional<PendingEmbeddings> readPendingEmbeddings(int limit) {
    Optional<Generation> generation = embeddableGeneration();
    try {
      List<String> ids =
          generation.isEmpty() ? List.of() : generation.get().pendingDocuments(limit);
      return ids.isEmpty()
          ? Optional.empty()
          : Optional.of(new PendingEmbeddings(generation.orElseThrow().recipe(), ids));
    } catch (IOException e) {
      generation.ifPresent(Generation::markSuspect);
      throw SearchException.damaged(space, e);
    }
  }

  /** Returns the newest generation that uses the present embedder's model. */
  private Optional<Generation> embeddableGeneration() {
    return followers().reversed().stream()
        .map(GenerationFollower::generation)
        .filter(generation -> generation.recipe().fits(spaceIndexDependencies.embedder()))
        .findFirst();
  }

  private void signal() {
    lock.lock();
    try {
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the answering generation is complete and holds this commit. */
  void awaitSequence(long sequence, Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (!hasApplied(sequence) && nanos > 0) {
        nanos = moved.awaitNanos(nanos);
      }
      if (!hasApplied(sequence)) {
        throw SearchException.indexBehind(space, sequence, appliedSequence(), atMost);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until no generation is being built. */
  void awaitBuilt(Runnable meanwhile) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (isBuilding()) {
        meanwhile.run();
        requireNoTrouble();
        awaitChange();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isBuilding() {
    return (building != null || rebuildRequested) && !closed;
  }

  /**
   * Waits for one interval, or until the build ends or fails. Progress alone does not end the wait,
   * because the caller's own work at each check causes it.
   */
  private void awaitChange() throws InterruptedException {
    long left = SearchBounds.LOOK.toNanos();
    while (left > 0 && isBuilding() && troubleReason.isEmpty()) {
      left = moved.awaitNanos(left);
    }
  }

  private void requireNoTrouble() {
    troubleReason.ifPresent(
        reason -> {
          throw SearchException.notBuilt(space, reason);
        });
  }

  private boolean hasApplied(long sequence) {
    return serving != null && staleReason.isEmpty() && appliedSequence() >= sequence;
  }

  long appliedSequence() {
    return servingGeneration().map(generation -> generation.state().cursor().sequence()).orElse(0L);
  }

  /** Commits and closes. If the commit fails, later changes are read from the feed again. */
  void close() {
    working.lock();
    try {
      commit();
      closed = true;
      followers().forEach(this::close);
      generationDirectories.close();
    } finally {
      serving = null;
      building = null;
      working.unlock();
      signal();
    }
  }

  private void close(GenerationFollower each) {
    try {
      GenerationDirectories.close(each.generation());
    } catch (IOException | RuntimeException e) {
      LOG.warn("Space {}: closing the search index failed. Cause: {}", space, e.getMessage());
    }
  }
}
