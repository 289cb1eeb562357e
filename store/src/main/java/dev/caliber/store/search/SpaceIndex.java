package dev.caliber.store.search;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
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
 * The index of one space: the generation that answers and, at times, the next one that is being
 * built beside it. One thread at a time works on it; any number may search.
 */
final class SpaceIndex {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceIndex.class);

  private final Machinery machinery;
  private final SpaceId space;
  private final Generations generations;
  private final ReentrantLock working = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();

  @GuardedBy("working")
  private @Nullable String follower;

  private volatile @Nullable GenerationFollower serving;
  private volatile @Nullable GenerationFollower building;

  /** Why the serving generation no longer follows; it answers until the next one is complete. */
  private volatile Optional<String> stale = Optional.empty();

  private volatile Optional<String> trouble = Optional.empty();

  /** Whether somebody asked for another generation; true until it answers. */
  private volatile boolean renewal;

  private volatile boolean closed;

  /** What the idle index held when its files were closed; null while they are open. */
  private volatile @Nullable Rested rested;

  /** Counts the uses of all spaces, so that the one that was used longest ago can be told. */
  private final AtomicLong uses;

  private volatile long lastUse;

  /** How many searches and tasks are at work: their files stay open. */
  @GuardedBy("lock")
  private int users;

  private record Rested(IndexRecipe recipe, FeedCursor cursor) {}

  SpaceIndex(Machinery machinery, SpaceId space, AtomicLong uses) {
    this.machinery = machinery;
    this.space = space;
    this.uses = uses;
    this.lastUse = uses.incrementAndGet();
    this.generations = new Generations(machinery, space);
  }

  SpaceId space() {
    return space;
  }

  /** Keeps the files open until it is closed, once they are. */
  interface Use extends AutoCloseable {
    @Override
    void close();
  }

  Use use() {
    lastUse = uses.incrementAndGet();
    return keepOpen();
  }

  /** To look for work is no use. */
  private Use keepOpen() {
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

  /** Whether its files are closed and nothing wants them open: no search and no new commit. */
  boolean isAtRest() {
    Rested present = rested;
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
    return machinery.store().changes().head(space).equals(present.cursor());
  }

  /** The recipe of the generation that answers, its files being open or not. */
  Optional<IndexRecipe> recipe() {
    Rested present = rested;
    return answering()
        .map(Generation::recipe)
        .or(() -> Optional.ofNullable(present).map(Rested::recipe));
  }

  /**
   * Closes the files of an index that is not in use and has nothing to do; the next use opens them
   * again. False if it has something to do, or is in memory and would be lost.
   */
  boolean rest() {
    if (!working.tryLock()) {
      return false;
    }
    try {
      GenerationFollower present = serving;
      if (closed || present == null || !isIdle(present.generation())) {
        return false;
      }
      commitAll();
      if (!leave(present.generation())) {
        return false;
      }
      close(present);
      generations.close();
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("The idle index of space {} could not be closed: {}", space, e.getMessage());
      return false;
    } finally {
      working.unlock();
    }
  }

  @GuardedBy("working")
  private boolean isIdle(Generation generation) throws IOException {
    return generation.path().isPresent()
        && building == null
        && trouble().isEmpty()
        && !needsAnother()
        && !generation.isSuspect()
        && (!generation.recipe().fits(machinery.embedder()) || generation.pending(1).isEmpty());
  }

  /** From here on searches do not find the generation any more; false if one has it. */
  @GuardedBy("working")
  private boolean leave(Generation generation) {
    lock.lock();
    try {
      if (users > 0) {
        return false;
      }
      rested = new Rested(generation.recipe(), generation.state().cursor());
      serving = null;
      follower = null;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The generation that answers: the complete one, or else the one that is being built. */
  Optional<Generation> answering() {
    GenerationFollower complete = serving;
    GenerationFollower next = building;
    return Optional.ofNullable(complete == null ? next : complete)
        .map(GenerationFollower::generation);
  }

  /**
   * The generation that answers, if what it does not hold is not there: it is complete, follows,
   * holds this commit, has vectors of the present embedder for all its documents, and no other is
   * being built.
   */
  Optional<Generation> witness(FeedCursor commit) {
    GenerationFollower complete = serving;
    if (complete == null || building != null || trouble().isPresent()) {
      return Optional.empty();
    }
    return Optional.of(complete.generation())
        .filter(generation -> generation.state().cursor().epoch() == commit.epoch())
        .filter(generation -> generation.state().cursor().sequence() >= commit.sequence())
        .filter(generation -> generation.recipe().fits(machinery.embedder()))
        .filter(SpaceIndex::isEmbedded);
  }

  /** What was indexed without an embedder does not say which vectors it will use. */
  private static boolean isEmbedded(Generation generation) {
    try {
      return generation.count(IndexFormatV1.PENDING) == 0;
    } catch (IOException e) {
      throw SearchException.unreadable("Counting documents that wait for vectors", e);
    }
  }

  Optional<Generation> building() {
    return Optional.ofNullable(building).map(GenerationFollower::generation);
  }

  /** Why answers are less than they could be; empty if nothing is wrong. */
  Optional<String> trouble() {
    if (trouble.isPresent() || stale.isPresent()) {
      return trouble.isPresent() ? trouble : stale;
    }
    return serving == null ? Optional.of("the index is being built") : Optional.empty();
  }

  /** One bounded step; true if there may be more to do. Trouble is remembered and tried again. */
  boolean work() {
    working.lock();
    try {
      return !closed && workNow();
    } finally {
      working.unlock();
      signal();
    }
  }

  @GuardedBy("working")
  private boolean workNow() {
    try {
      boolean more = step();
      trouble = Optional.empty();
      return more;
    } catch (AlreadyClosedException e) {
      reopen(e);
      return true;
    } catch (CaliberException | IOException e) {
      trouble = Optional.of(String.valueOf(e.getMessage()));
      LOG.warn("Indexing space {} failed and will be tried again: {}", space, e.getMessage());
      return false;
    } catch (RuntimeException e) {
      trouble = Optional.of(e.toString());
      LOG.warn("Indexing space {} failed and will be tried again", space, e);
      return false;
    }
  }

  /** Lucene gives up a writer that could not write; what was committed is opened again. */
  @GuardedBy("working")
  private void reopen(AlreadyClosedException reason) {
    LOG.warn("The index of space {} is opened again: {}", space, reason.getMessage());
    for (GenerationFollower each : all()) {
      abandon(each);
    }
    serving = null;
    building = null;
    follower = null;
  }

  private static void abandon(GenerationFollower each) {
    try {
      each.generation().abandon();
    } catch (IOException | RuntimeException e) {
      LOG.warn("An index could not be closed: {}", e.getMessage());
    }
  }

  @GuardedBy("working")
  private boolean step() throws IOException {
    openIfNeeded();
    dropDamaged();
    beginIfNeeded();
    boolean more = follow();
    promoteIfReady();
    return more || isOvertaken();
  }

  /** Whether commits came that keep the next generation from taking over. */
  @GuardedBy("working")
  private boolean isOvertaken() {
    GenerationFollower next = building;
    return next != null && next.generation().state().complete() && !caughtUp(next);
  }

  @GuardedBy("working")
  private void openIfNeeded() throws IOException {
    if (follower == null) {
      String name = generations.follower();
      adopt(generations.open());
      follower = name;
      rested = null;
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
      IOUtils.closeWhileSuppressingExceptions(e, opened.stream().map(SpaceIndex::ending).toList());
      serving = null;
      building = null;
      throw e;
    }
  }

  private static Closeable ending(Generation generation) {
    return generation::abandon;
  }

  /** The newest complete one answers; a half-built one is gone on with if it is still wanted. */
  @GuardedBy("working")
  private void adopt(Generation found) throws IOException {
    GenerationFollower mine = new GenerationFollower(machinery, space, found);
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
      generations.remove(unwanted.generation());
    }
  }

  /** A half-built one that was begun by another recipe is given up. */
  @GuardedBy("working")
  private void dropUnwanted() throws IOException {
    GenerationFollower next = building;
    if (next != null && !next.generation().recipe().equals(wanted())) {
      building = null;
      drop(next);
    }
  }

  /** Reads those whole that a search could not read, and gives up what is damaged. */
  @GuardedBy("working")
  private void dropDamaged() {
    for (GenerationFollower each : all()) {
      Optional<Throwable> damage = each.generation().damage();
      damage.ifPresent(reason -> discard(each, reason));
    }
  }

  /** There is no state without a generation that follows, or one that will. */
  @GuardedBy("working")
  private void beginIfNeeded() throws IOException {
    if (building == null && needsAnother()) {
      begin();
    }
  }

  private boolean needsAnother() {
    return serving == null || stale.isPresent() || renewal || (isOutdated() && isAutomatic());
  }

  private boolean isAutomatic() {
    return machinery.config().general().migration() == SearchConfig.Migration.AUTOMATIC;
  }

  /** Whether the answering generation was made by another recipe than the one wanted now. */
  boolean isOutdated() {
    GenerationFollower present = serving;
    return present != null && !present.generation().recipe().equals(wanted());
  }

  private IndexRecipe wanted() {
    GenerationFollower present = serving;
    return present == null
        ? machinery.recipe()
        : machinery.recipeBeside(present.generation().recipe());
  }

  @GuardedBy("working")
  private void begin() throws IOException {
    FeedCursor head = machinery.store().changes().head(space);
    building =
        new GenerationFollower(
            machinery, space, generations.create(wanted(), IndexState.beginning(head)));
  }

  /** A step of each generation. */
  @GuardedBy("working")
  private boolean follow() throws IOException {
    boolean more = false;
    GenerationFollower present = serving;
    if (present != null && stale.isEmpty()) {
      more = followServing(present);
    }
    GenerationFollower next = building;
    boolean nextMore = next != null && followBuilding(next);
    return more || nextMore;
  }

  @GuardedBy("working")
  private boolean followServing(GenerationFollower present) throws IOException {
    try {
      return present.step();
    } catch (StoreException e) {
      requireTruncated(e);
      LOG.info("The index of space {} is rebuilt: {}", space, e.getMessage());
      stale = Optional.of("the space's content was replaced, and the index is being rebuilt");
      return true;
    } catch (IOException | RuntimeException e) {
      requireDamage(e);
      discard(present, e);
      return true;
    }
  }

  @GuardedBy("working")
  private boolean followBuilding(GenerationFollower next) throws IOException {
    try {
      return next.step();
    } catch (StoreException e) {
      requireTruncated(e);
      restart();
      return true;
    } catch (IOException | RuntimeException e) {
      requireDamage(e);
      renewal = true;
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
    if (Damage.is(e)) {
      return;
    }
    switch (e) {
      case IOException io -> throw io;
      case RuntimeException other -> throw other;
      default -> throw new IllegalStateException("Not thrown by a step", e);
    }
  }

  /** Gives up what was built so far; the next step begins anew. */
  @GuardedBy("working")
  private void restart() throws IOException {
    renewal = true;
    GenerationFollower unwanted = building;
    building = null;
    drop(unwanted);
  }

  @GuardedBy("working")
  private void discard(GenerationFollower damaged, Throwable reason) {
    LOG.warn("The index of space {} is damaged and rebuilt: {}", space, reason.getMessage());
    serving = serving == damaged ? null : serving;
    building = building == damaged ? null : building;
    try {
      generations.remove(damaged.generation());
    } catch (IOException | RuntimeException e) {
      LOG.warn("The damaged index could not be removed: {}", e.getMessage());
    }
  }

  /** The next generation takes over when it has seen all that the present one has. */
  @GuardedBy("working")
  private void promoteIfReady() throws IOException {
    GenerationFollower next = building;
    if (next == null || !next.generation().state().complete() || !caughtUp(next)) {
      return;
    }
    if (serving != null && stale.isEmpty() && !next.generation().isReady()) {
      return; // the present one answers faster
    }
    next.generation().commit();
    GenerationFollower old = serving;
    serving = next;
    building = null;
    stale = Optional.empty();
    renewal = false;
    drop(old);
    LOG.info("Index {} of space {} is complete", next.generation().name(), space);
  }

  private boolean caughtUp(GenerationFollower next) {
    FeedCursor head = machinery.store().changes().head(space);
    FeedCursor reached = next.generation().state().cursor();
    return reached.epoch() == head.epoch() && reached.sequence() >= head.sequence();
  }

  /** Begins another generation though nothing has changed; the present one answers until then. */
  void rebuild() {
    working.lock();
    try {
      trouble = Optional.empty();
      openIfNeeded();
      restart();
      beginIfNeeded();
    } catch (IOException e) {
      throw SearchException.unreadable("Rebuilding the index of space '%s'".formatted(space), e);
    } finally {
      working.unlock();
    }
  }

  /** Begins another generation if the present one is outdated; false if there is nothing to do. */
  boolean migrate() {
    working.lock();
    try {
      trouble = Optional.empty();
      openIfNeeded();
      renewal |= isOutdated();
      beginIfNeeded();
      return building != null;
    } catch (IOException e) {
      throw SearchException.unreadable("Migrating the index of space '%s'".formatted(space), e);
    } finally {
      working.unlock();
    }
  }

  /** How many records the next generation has read. */
  long built() {
    GenerationFollower next = building;
    return next == null ? 0 : next.scanned();
  }

  /** Writes everything to disk, and lets the feed go up to there. */
  void commit() {
    working.lock();
    try {
      if (!closed) {
        commitAll();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Writing the index of space {} failed: {}", space, e.getMessage());
    } finally {
      working.unlock();
    }
  }

  @GuardedBy("working")
  private void commitAll() throws IOException {
    boolean written = false;
    for (GenerationFollower each : all()) {
      written |= each.generation().commit();
    }
    if (written && follower != null) {
      acknowledge(follower);
    }
  }

  @GuardedBy("working")
  private void acknowledge(String name) {
    all().stream()
        .map(each -> each.generation().state().cursor())
        .filter(cursor -> stale.isEmpty() || cursor.epoch() == newestEpoch())
        .min((a, b) -> Long.compare(a.sequence(), b.sequence()))
        .ifPresent(least -> machinery.store().changes().acknowledge(space, name, least));
  }

  private long newestEpoch() {
    return all().getLast().generation().state().cursor().epoch();
  }

  private List<GenerationFollower> all() {
    List<GenerationFollower> all = new ArrayList<>();
    Optional.ofNullable(serving).ifPresent(all::add);
    Optional.ofNullable(building).ifPresent(all::add);
    return all;
  }

  /** Documents that wait for vectors of the present embedder; empty if none does. */
  Optional<Waiting> waiting(int limit) {
    try (Use _ = keepOpen()) {
      return waitingNow(limit);
    }
  }

  private Optional<Waiting> waitingNow(int limit) {
    Optional<Generation> generation = embeddable();
    try {
      List<String> ids = generation.isEmpty() ? List.of() : generation.get().pending(limit);
      return ids.isEmpty()
          ? Optional.empty()
          : Optional.of(new Waiting(generation.orElseThrow().recipe(), ids));
    } catch (IOException e) {
      generation.ifPresent(Generation::suspect);
      throw SearchException.damaged(space, e);
    }
  }

  /** The newest generation that is made with the present embedder's model. */
  private Optional<Generation> embeddable() {
    return all().reversed().stream()
        .map(GenerationFollower::generation)
        .filter(generation -> generation.recipe().fits(machinery.embedder()))
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
  void await(long sequence, Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (!holds(sequence) && nanos > 0) {
        nanos = moved.awaitNanos(nanos);
      }
      if (!holds(sequence)) {
        throw SearchException.behind(space, sequence, applied(), atMost);
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
        awaitNextLook();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isBuilding() {
    return (building != null || renewal) && !closed;
  }

  /** However often it moves: what is done at each look moves it itself. */
  private void awaitNextLook() throws InterruptedException {
    long left = SearchBounds.LOOK.toNanos();
    while (left > 0 && isBuilding() && trouble.isEmpty()) {
      left = moved.awaitNanos(left);
    }
  }

  private void requireNoTrouble() {
    trouble.ifPresent(
        reason -> {
          throw SearchException.notBuilt(space, reason);
        });
  }

  private boolean holds(long sequence) {
    return serving != null && stale.isEmpty() && applied() >= sequence;
  }

  long applied() {
    return answering().map(generation -> generation.state().cursor().sequence()).orElse(0L);
  }

  /** What is on disk stays as far as it was committed; nothing else is lost. */
  void close() {
    working.lock();
    try {
      commit();
      closed = true;
      all().forEach(this::close);
      generations.close();
    } finally {
      serving = null;
      building = null;
      working.unlock();
      signal();
    }
  }

  private void close(GenerationFollower each) {
    try {
      Generations.close(each.generation());
    } catch (IOException | RuntimeException e) {
      LOG.warn("Closing the index of space {} failed: {}", space, e.getMessage());
    }
  }
}
