package dev.caliber.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Count of the driver's calls of {@code sqlite3_prepare} and {@code sqlite3_exec}. */
final class SqliteHotPathTest extends StoreFixture {

  private static final int OPERATIONS = 10_000;

  @TempDir Path directory;
  @TempDir Path recordings;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.sqlite(directory);
  }

  @Test
  @DisplayName("ARC-03: a warmed-up store prepares nothing in ten thousand operations on SQLite")
  void preparesNothingOnceWarm() throws IOException {
    var workload = new HotPathWorkload(open(HotPathWorkload.tables()));
    assertThat(preparations(() -> workload.run(HotPathWorkload.EVERY_KIND))).isPositive();
    workload.warmUp();
    assertThat(preparations(() -> workload.run(OPERATIONS))).isZero();
  }

  private long preparations(Runnable work) throws IOException {
    Path file = recordings.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording
          .enable("jdk.MethodTiming")
          .with("filter", "org.sqlite.core.NativeDB::prepare;org.sqlite.core.NativeDB::_exec")
          .with("period", "endChunk");
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    long calls = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("jdk.MethodTiming")) {
        calls += event.getLong("invocations");
      }
    }
    return calls;
  }
}
