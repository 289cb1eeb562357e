package dev.caliber.testkit.crash;

import static dev.caliber.testkit.crash.FaultFixture.count;
import static dev.caliber.testkit.crash.FaultFixture.find;
import static dev.caliber.testkit.crash.FaultFixture.head;
import static dev.caliber.testkit.crash.FaultFixture.insert;
import static dev.caliber.testkit.crash.FaultFixture.open;
import static dev.caliber.testkit.crash.FaultFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.testkit.SystemCommand;
import dev.caliber.testkit.TestEngines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full or read-only. Needs root, because it mounts them. */
@Tag("power-cut")
final class MountFaultTest {

  private static final int WRITERS = 8;
  private static final int MORE = 20;

  /**
   * Size of the freed file: it must hold the log a second time, when that is written back into the
   * file.
   */
  private static final int INDEXED_TEXT = 1900;

  private static final int BALLAST = 12 << 20;

  @TempDir Path directory;

  @Test
  void aFullDiskIsReportedLosesNothingAndWritingGoesOnWhenThereIsRoom() throws IOException {
    try (LoopDisk disk = LoopDisk.create(DataSize.parse("32MiB"))) {
      fillsUp(disk.directory());
    }
  }

  @Test
  void aFullMemoryDiskIsReportedLosesNothingAndWritingGoesOnWhenThereIsRoom() throws IOException {
    mounted(
        List.of("mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", directory.toString()),
        () -> fillsUp(directory));
  }

  @Test
  void aReadOnlyDiskIsRefusedWithWhatToDo() throws IOException {
    Path made = directory.resolve("made");
    open(TestEngines.sqlite(made)).close();
    mounted(
        List.of("mount", "--bind", "-o", "ro", directory.toString(), directory.toString()),
        () -> {
          for (Path place : List.of(made, directory.resolve("new"))) {
            CaliberException e =
                refused(
                    () -> open(TestEngines.sqlite(place)),
                    List.of(StoreErrorCode.STORE_READ_ONLY),
                    place.toString());
            assertThat(e.advice()).isPresent();
          }
        });
    open(TestEngines.sqlite(made)).close();
  }

  private interface Work {
    void run() throws IOException;
  }

  private void mounted(List<String> mount, Work work) throws IOException {
    SystemCommand.run(mount);
    try {
      work.run();
    } finally {
      SystemCommand.run(List.of("umount", directory.toString()));
    }
  }

  private static void fillsUp(Path place) throws IOException {
    Path ballast = place.resolve("ballast");
    Files.write(ballast, new byte[BALLAST]);
    ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<CaliberException> refusals = new ConcurrentLinkedQueue<>();
    Path home = place.resolve("store");
    try (RecordStore store = open(TestEngines.sqlite(home))) {
      writeUntilRefused(store, acknowledged, refusals);
      assertThat(refusals).hasSize(WRITERS);
      assertThat(refusals)
          .allSatisfy(e -> assertThat(e.code()).as(e.toLine()).isEqualTo(StoreErrorCode.DISK_FULL));
      assertThat(count(store)).isEqualTo(acknowledged.size());
      Files.delete(ballast);
      for (int i = 0; i < MORE; i++) {
        insert(store, "more" + i, "there is room again");
        acknowledged.add("more" + i);
      }
      assertThat(count(store)).isEqualTo(acknowledged.size());
      assertThat(head(store)).isEqualTo(acknowledged.size());
    }
    try (RecordStore store = open(TestEngines.sqlite(home))) {
      assertThat(acknowledged).allSatisfy(id -> assertThat(find(store, id)).isPresent());
      assertThat(count(store)).isEqualTo(acknowledged.size());
    }
  }

  private static void writeUntilRefused(
      RecordStore store,
      ConcurrentLinkedQueue<String> acknowledged,
      ConcurrentLinkedQueue<CaliberException> refusals) {
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String prefix = "w" + writer + "-";
      threads.add(
          Thread.ofPlatform()
              .name("filler-" + writer)
              .start(
                  () -> {
                    try {
                      for (int i = 0; ; i++) {
                        insert(store, prefix + i, "x".repeat(INDEXED_TEXT));
                        acknowledged.add(prefix + i);
                      }
                    } catch (CaliberException e) {
                      refusals.add(e);
                    }
                  }));
    }
    threads.forEach(MountFaultTest::join);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while writers fill the disk", e);
    }
  }
}
