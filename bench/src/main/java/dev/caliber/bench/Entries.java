package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Timestamps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes entries, the same for the same numbers but for their ids and times, and remembers the keys
 * of those that were loaded.
 *
 * <p>Sixteen sessions are under way at any time, so the entries of a session lie near each other;
 * an author's entries are spread over the whole table. Both have about 200, whatever the size.
 */
final class Entries {

  private static final int PER_GROUP = 200;
  private static final int SESSIONS_AT_ONCE = 16;
  private static final int FIRST_GROUP = 10_000_000;
  private static final int WORDS = 67;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final String[] VOCABULARY = {
    "agent", "asked", "window", "budget", "ledger", "because", "session", "answer", "recall", "the",
    "plan", "failed", "after", "retry", "with", "smaller", "batch", "note", "says", "trust"
  };

  private final Ids ids;
  private final int loaded;
  private final List<Id> keys = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();

  /** Entries for a store that is loaded with so many. */
  Entries(int loaded, Ids ids) {
    this.loaded = loaded;
    this.ids = ids;
  }

  int loaded() {
    return loaded;
  }

  /** The next entries to load, in the order of their keys. */
  List<Entry> batch(int size) {
    List<Entry> batch = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Entry entry = next();
      keys.add(entry.id());
      batch.add(entry);
    }
    return batch;
  }

  /** A new entry that no side has; safe from any thread. */
  Entry next() {
    int number = next.getAndIncrement();
    long bits = mixed(number);
    return new Entry(
        ids.next(),
        session(number),
        author(Math.floorMod(bits, groups())),
        bits & 0xfff,
        Timestamps.truncate(Stopwatch.clock().instant()),
        List.of("bench", VOCABULARY[Math.floorMod(bits, VOCABULARY.length)]),
        text(bits));
  }

  Id anyKey(Chance chance) {
    return keys.get(chance.nextInt(keys.size()));
  }

  /** A session that was loaded in full, where there is one. */
  String anySession(Chance chance) {
    int era = SESSIONS_AT_ONCE * PER_GROUP;
    return session(chance.nextInt(loaded < era ? loaded : loaded - loaded % era));
  }

  String anyAuthor(Chance chance) {
    return author(chance.nextInt(groups()));
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

  private static long mixed(int number) {
    long bits = number * SPREAD;
    return ((bits ^ (bits >>> 29)) * 0xBF58476D1CE4E5B9L) >>> 1;
  }
}
