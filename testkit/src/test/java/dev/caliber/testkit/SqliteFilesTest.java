package dev.caliber.testkit;

import static dev.caliber.testkit.Animal.ANIMALS;
import static dev.caliber.testkit.RecordStoreContract.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.maintenance.DoctorFinding;
import dev.caliber.store.maintenance.DoctorFindingCode;
import dev.caliber.store.maintenance.Maintenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of an embedded store's directory, and their permissions. */
final class SqliteFilesTest extends StoreFixture {
  @TempDir Path place;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.sqlite(data());
  }

  private Path data() {
    return place.resolve("data");
  }

  private RecordStore written() {
    RecordStore store = open(ANIMALS);
    store.commit(
        SPACE,
        transaction -> {
          transaction.put(ANIMALS, Animal.of("c", "Tom"));
        });
    return store;
  }

  private static String rights(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void setRights(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  @Test
  void aNewStoreAndItsBackupAreTheirOwnersAlone() {
    RecordStore store = written();
    assertThat(rights(data())).isEqualTo("rwx------");
    for (String name : List.of("caliber.db", "caliber.db-wal", "caliber.db-shm", "caliber.lock")) {
      assertThat(rights(data().resolve(name))).as(name).isEqualTo("rw-------");
    }
    Path backup = place.resolve("b.db");
    Maintenance.of(store).backup(backup, ProgressListener.NONE);
    assertThat(rights(backup)).isEqualTo("rw-------");
  }

  @Test
  void whatAnOlderVersionLeftReadableIsClosedWhenItIsOpened() throws IOException {
    written();
    closeStores();
    setRights(data(), "rwxr-xr-x");
    setRights(data().resolve("caliber.db"), "rw-r--r--");
    setRights(data().resolve("caliber.lock"), "rw-r--r--");
    written();
    assertThat(rights(data())).isEqualTo("rwx------");
    assertThat(rights(data().resolve("caliber.db"))).isEqualTo("rw-------");
    assertThat(rights(data().resolve("caliber.db-wal"))).isEqualTo("rw-------");
    assertThat(rights(data().resolve("caliber.lock"))).isEqualTo("rw-------");
  }

  @Test
  void aDirectoryWithOtherFilesKeepsItsRightsAndTheDoctorSaysSo() throws IOException {
    Files.createDirectories(data());
    setRights(data(), "rwxr-xr-x");
    Files.writeString(data().resolve("notes.txt"), "mine");
    RecordStore store = written();
    assertThat(rights(data())).isEqualTo("rwxr-xr-x");
    assertThat(rights(data().resolve("caliber.db"))).isEqualTo("rw-------");
    List<DoctorFinding> findings = Maintenance.of(store).examine(ProgressListener.NONE).findings();
    assertThat(findings)
        .singleElement()
        .satisfies(
            doctorFinding -> {
              assertThat(doctorFinding.code())
                  .isEqualTo(DoctorFindingCode.FILE_PERMISSIONS_TOO_OPEN);
              assertThat(doctorFinding.where()).isEqualTo(data().toString());
            });
  }

  @Test
  void anEmptyOrMissingFileBesideAFullIndexIsNotTakenForANewStore() throws IOException {
    Path file = data().resolve("caliber.db");
    Path index = Files.createDirectories(data().resolve("search/default"));
    assertRefused(StoreErrorCode.STORE_FILE_MISSING, this::written, "is missing", index.toString());
    assertThat(file).doesNotExist();
    Files.createFile(file);
    assertRefused(
        StoreErrorCode.STORE_FILE_MISSING, this::written, "has 0 bytes", index.toString());
    assertThat(file).isEmptyFile();
    Files.delete(index);
    written();
  }
}
