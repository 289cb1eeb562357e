package dev.caliber.lang.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.Packs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackLockTest {
  private static PackSource locked() {
    return Packs.with(Packs.full(), "cal.lock", PackLock.of(Packs.full()).text());
  }

  private static List<Diagnostic> drift(PackSource source) {
    return ((ComposeResult.ComposeFailure) Packs.COMPOSER.compose(source))
        .diagnostics().stream().filter(it -> it.code() == DiagnosticCode.LOCK_DRIFT).toList();
  }

  @Test
  @DisplayName("PACK-27: a lock pins the SHA-256 of every file and is written the same every time")
  void pinsEveryFile() {
    var lock = PackLock.of(locked());
    assertThat(lock.text()).isEqualTo(PackLock.of(Packs.full()).text());
    assertThat(lock.hashes().keySet())
        .containsExactlyElementsOf(Packs.full().paths())
        .contains("tools/bin/fetch_url", "tools/prompts/search.md");
    assertThat(lock.hashes().values()).allMatch(hash -> hash.matches("[0-9a-f]{64}"));
    assertThat(Packs.composed(locked()).lock().text()).isEqualTo(lock.text());
  }

  @Test
  @DisplayName("PACK-27: a changed file is an error that names it")
  void reportsChanges() {
    var changed = Packs.replaced(locked(), "tools/bin/fetch_url", "--fail", "--silent");
    assertThat(drift(changed))
        .singleElement()
        .satisfies(it -> assertThat(it.file()).isEqualTo("cal.lock"))
        .satisfies(
            it ->
                assertThat(it.message())
                    .isEqualTo("'tools/bin/fetch_url' was changed since the pack was locked"))
        .satisfies(it -> assertThat(it.span()).hasToString("5:67-5:86"));
  }

  @Test
  @DisplayName("PACK-27: an added and a missing file are errors that name them, all at once")
  void reportsAddedAndMissing() {
    var moved =
        Packs.with(Packs.without(locked(), "tools/bin/fetch_url"), "tools/bin/fetch", "#!/bin/sh");
    assertThat(drift(moved))
        .extracting(Diagnostic::message)
        .containsExactly(
            "'tools/bin/fetch' was added since the pack was locked",
            "'tools/bin/fetch_url' was removed since the pack was locked");
  }

  @Test
  @DisplayName("PACK-27: the pack is locked again without reading the old lock")
  void locksAnew() {
    var changed = Packs.replaced(locked(), "tools/bin/fetch_url", "--fail", "--silent");
    var fresh = Packs.composed(changed.withoutLock()).lock();
    assertThat(Packs.composed(Packs.with(changed, "cal.lock", fresh.text())).hash())
        .isEqualTo(fresh.hash())
        .isNotEqualTo(Packs.composed(locked()).hash());
  }

  @Test
  @DisplayName("PACK-27: sha256sum understands a lock")
  void isReadBySha256sum(@TempDir Path directory) throws IOException, InterruptedException {
    for (var file : Packs.files(locked()).entrySet()) {
      var path = directory.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(path.getParent()));
      Files.write(path, file.getValue());
    }
    var check =
        new ProcessBuilder("sha256sum", "--check", "--strict", "--status", "cal.lock")
            .directory(directory.toFile())
            .start();
    assertThat(check.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(check.exitValue()).isZero();
  }
}
