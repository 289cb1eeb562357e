package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IdsTest {
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00.123Z");

  private final SetClock clock = new SetClock(NOON);
  private final IdGenerator idGenerator = IdGenerator.of(clock, RandomSource.seeded(1));

  @Test
  @DisplayName("UTL-01: an id has the millisecond, version 7 and variant binary 10")
  void layoutIsThatOfVersion7() {
    var uuid = idGenerator.next().toUuid();
    assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(NOON.toEpochMilli());
    assertThat(uuid.version()).isEqualTo(7);
    assertThat(uuid.variant()).isEqualTo(2);
  }

  @Test
  @DisplayName("UTL-01: ids grow within one millisecond, and borrow the next when it is full")
  void idsGrowWithinOneMillisecond() {
    var last = idGenerator.next();
    for (int i = 0; i < 300_000; i++) { // more than the counter of one millisecond holds
      var next = idGenerator.next();
      if (next.compareTo(last) <= 0) {
        throw new AssertionError(next + " came after " + last);
      }
      last = next;
    }
    assertThat(last.time()).isAfter(NOON).isBefore(NOON.plusMillis(5));
    assertThat(last.version()).isEqualTo(7);
    assertThat(last.toUuid().variant()).isEqualTo(2);
  }

  @Test
  @DisplayName("UTL-01: ids grow when the clock goes back")
  void idsGrowWhenTheClockGoesBack() {
    var before = idGenerator.next();
    clock.set(NOON.minusSeconds(3600));
    var after = idGenerator.next();
    assertThat(after).isGreaterThan(before);
    assertThat(after.time()).isEqualTo(NOON);
    clock.set(NOON.plusMillis(1));
    assertThat(idGenerator.next()).isGreaterThan(after);
  }

  @Test
  @DisplayName("UTL-01: ids grow for each thread and are all different")
  void idsGrowUnderConcurrency() throws Exception {
    int each = 50_000;
    Callable<List<Id>> work =
        () -> {
          var mine = new ArrayList<Id>(each);
          for (int i = 0; i < each; i++) {
            mine.add(idGenerator.next());
          }
          return mine;
        };
    var all = new HashSet<Id>();
    try (var threads =
        Executors.newFixedThreadPool(2, Thread.ofPlatform().name("ids-", 0).factory())) {
      for (var result : threads.invokeAll(List.of(work, work))) {
        List<Id> mine = result.get();
        assertThat(mine.stream().sorted().toList()).isEqualTo(mine);
        all.addAll(mine);
      }
    }
    assertThat(all).hasSize(2 * each);
  }

  @Test
  void theSameSeedAndTimesGiveTheSameIds() {
    var again = IdGenerator.of(clock, RandomSource.seeded(1));
    assertThat(again.next()).isEqualTo(idGenerator.next());
    assertThat(IdGenerator.of(clock, RandomSource.seeded(2)).next()).isNotEqualTo(again.next());
  }

  @Test
  void aClockBeforeOrBeyondTheLayoutIsRefused() {
    clock.set(Instant.ofEpochMilli(-1));
    refused(KernelErrorCode.INVALID_VALUE, idGenerator::next);
    clock.set(Instant.ofEpochMilli(1L << 48));
    refused(KernelErrorCode.LIMIT_EXCEEDED, idGenerator::next);
  }
}
