package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.DataSize;
import dev.caliber.store.DoctorReport;
import dev.caliber.store.Finding;
import dev.caliber.store.FindingCode;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteDoctorTest extends DoctorContract {
  private static final int PAGE = 4096;

  @TempDir Path directory;
  private int places;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.sqlite(directory.resolve("main"));
  }

  @Override
  protected StoreConfig.EngineConfig otherPlace() {
    return Engines.sqlite(directory.resolve("other-" + places++));
  }

  private Path file() {
    return directory.resolve("main/caliber.db");
  }

  @Override
  protected void raw(String sql) {
    RawSql.sqlite(file(), sql);
  }

  @Test
  void findsAColumnThatIsNoTime() {
    RecordStore store = filled();
    raw("UPDATE animal SET seen_at = 'noon' WHERE \"key\" = 'cat1'");
    found(store, FindingCode.COLUMN_WRONG, "default/animal/cat1");
  }

  @Test
  void warnsWhenTheDiskIsNearlyFull() {
    DataSize none = DataSize.parse("0B");
    RecordStore share = open(c -> c.withDoctor(new StoreConfig.Doctor(1, none)), ANIMALS, PICTURES);
    found(share, FindingCode.DISK_LOW, directory.resolve("main").toString());
    share.close();
    StoreConfig.Doctor much = new StoreConfig.Doctor(0, DataSize.parse("1048576GiB"));
    RecordStore bytes = open(c -> c.withDoctor(much), ANIMALS, PICTURES);
    found(bytes, FindingCode.DISK_LOW, directory.resolve("main").toString());
    assertThat(examine(bytes).isHealthy()).isTrue();
  }

  @Test
  void reportsDamagedPagesInsteadOfFailing() throws IOException {
    RecordStore store = filled();
    store.write(
        SPACE,
        transaction -> {
          for (int i = 0; i < 2000; i++) {
            transaction.insert(ANIMALS, Animal.of("n" + i, "N".repeat(100)));
          }
          return true;
        });
    store.close();
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      for (long page = channel.size() / PAGE / 2; page < channel.size() / PAGE; page += 3) {
        channel.write(
            ByteBuffer.wrap(
                "damage".repeat(600).getBytes(java.nio.charset.StandardCharsets.US_ASCII)),
            page * PAGE);
      }
    }
    DoctorReport report = examine(open(ANIMALS, PICTURES));
    assertThat(report.isHealthy()).isFalse();
    assertThat(report.findings()).extracting(Finding::code).contains(FindingCode.ENGINE_DAMAGED);
  }
}
