package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.Picture.PICTURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.RecordStore;
import dev.caliber.store.maintenance.DoctorFinding;
import dev.caliber.store.maintenance.DoctorFindingCode;
import dev.caliber.store.maintenance.DoctorReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

@EachEngine(EngineKind.SQLITE)
final class SqliteDoctorTest extends DoctorContract {
  private static final int PAGE = 4096;

  private Path file() {
    return storeDirectory.resolve("caliber.db");
  }

  @Test
  void findsAColumnThatIsNoTime() {
    RecordStore store = filledStore();
    executeRawSql("UPDATE animal SET seen_at = 'noon' WHERE \"key\" = 'cat1'");
    assertSingleFinding(store, DoctorFindingCode.COLUMN_MISMATCH, "default/animal/cat1");
  }

  @Test
  void warnsWhenTheDiskIsNearlyFull() {
    RecordStore share =
        open(
            c -> c.with("store.doctor.free-disk-share = 1", "store.doctor.free-disk = '0B'"),
            ANIMALS,
            PICTURES);
    assertSingleFinding(share, DoctorFindingCode.LOW_DISK_SPACE, storeDirectory.toString());
    share.close();
    RecordStore bytes =
        open(
            c ->
                c.with("store.doctor.free-disk-share = 0", "store.doctor.free-disk = '1048576GiB'"),
            ANIMALS,
            PICTURES);
    assertSingleFinding(bytes, DoctorFindingCode.LOW_DISK_SPACE, storeDirectory.toString());
    assertThat(examine(bytes).isHealthy()).isTrue();
  }

  @Test
  void reportsDamagedPagesInsteadOfFailing() throws IOException {
    RecordStore store = filledStore();
    store.commit(
        SPACE,
        transaction -> {
          for (int i = 0; i < 2000; i++) {
            transaction.insert(ANIMALS, Animal.of("n" + i, "N".repeat(100)));
          }
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
    assertThat(report.findings())
        .extracting(DoctorFinding::code)
        .contains(DoctorFindingCode.ENGINE_DAMAGED);
  }
}
