package dev.caliber.bench.harness;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.Timestamps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Generates entries, equal for equal numbers except ids and times, and remembers the keys of the
 * loaded ones.
 *
 * <p>Sixteen sessions run in parallel, so the entries of a session are close together; an author's
 * entries are spread over the whole table. Both have about 200, whatever the size.
 */
public final class EntryGenerator {

  private static final int PER_GROUP = 200;
  private static final int SESSIONS_AT_ONCE = 16;
  private static final int FIRST_GROUP = 10_000_000;
  private static final int WORDS = 67;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final String[] VOCABULARY = {
    "agent", "asked", "window", "budget", "ledger", "because", "session", "answer", "recall", "the",
    "plan", "failed", "after", "retry", "with", "smaller", "batch", "note", "says", "trust"
  };

  private final IdGenerator idGenerator;
  private final int loaded;
  private final List<Id> keys = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();

  /** Creates a generator for a store that is loaded with this number of entries. */
  public EntryGenerator(int loaded, IdGenerator idGenerator) {
    this.loaded = loaded;
    this.idGenerator = idGenerator;
  }

  public int loadedCount() {
    return loaded;
  }

  /** Returns the next entries to load, in the order of their keys. */
  public List<BenchEntry> nextBatch(int size) {
    List<BenchEntry> batch = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      BenchEntry benchEntry = newEntry();
      keys.add(benchEntry.id());
      batch.add(benchEntry);
    }
    return batch;
  }

  /** Returns a new entry, from any thread. */
  public BenchEntry newEntry() {
    int number = next.getAndIncrement();
    long bits = mixBits(number);
    return new BenchEntry(
        idGenerator.next(),
        session(number),
        author(Math.floorMod(bits, groups())),
        bits & 0xfff,
        Timestamps.truncate(Stopwatch.clock().instant()),
        List.of("bench", VOCABULARY[Math.floorMod(bits, VOCABULARY.length)]),
        text(bits));
  }

  public Id randomKey(RandomSource randomSource) {
    return keys.get(randomSource.nextInt(keys.size()));
  }

  /** Returns a session that was loaded in full, if there is one. */
  public String randomSession(RandomSource randomSource) {
    int era = SESSIONS_AT_ONCE * PER_GROUP;
    return session(randomSource.nextInt(loaded < era ? loaded : loaded - loaded % era));
  }

  public String randomAuthor(RandomSource randomSource) {
    return author(randomSource.nextInt(groups()));
  }

  private int groups() {
    return Math.max(1, loaded / PER_GROUP);
  }

  private static String session(int number) {
    int era = number / (SESSIONS_AT_ONCE * PER_GROUP);
    return "session-" + (FIRST_GROUP + era * SESSIONS_AT_ONCE + number % SESSIONS_AT_ONCE);
  }

  private static String author(int number) {
    return "author-" + (FIRST_GROUP + number);
  }

  private static String text(long bits) {
    StringBuilder text = new StringBuilder();
    long rest = bits;
    for (int i = 0; i < WORDS; i++) {
      rest = rest * SPREAD + i;
      text.append(VOCABULARY[Math.floorMod(rest >>> 32, VOCABULARY.length)]).append(' ');
    }
    return text.toString();
  }

  private static long mixBits(int number) {
    long bits = number * SPREAD;
    return ((bits ^ (bits >>> 29)) * 0xBF58476D1CE4E5B9L) >>> 1;
  }
}
