package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.view.ForgetContract;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@EachEngine(EngineKind.SQLITE)
final class SqliteForgetTest extends ForgetContract {
  private static final int WORDS = 40;

  @Test
  @DisplayName("the files of a running store contain no forgotten text")
  void theLogOfARunningStoreHoldsNothingOfIt() {
    Scope scope = scopeOf(start());
    for (int i = 0; i < WORDS; i++) {
      say(scope, "The word is swordfish%02d.".formatted(i));
    }
    assertThat(raw()).contains("swordfish00");
    ForgetResult gone = memory.forget(SPACE, ForgetRecords.of(scope.trajectory()));
    assertThat(gone.purged()).isTrue();
    assertThat(raw()).doesNotContain("swordfish");
    learn("The store goes on.");
    assertThat(raw()).contains("The store goes on.");
  }

  @Test
  @DisplayName("an open reader keeps the log; after it the log is emptied")
  void aReaderKeepsTheLog() {
    Scope scope = scopeOf(start());
    say(scope, "The word is swordfish.");
    Boolean purged =
        store.read(
            SPACE,
            snapshot -> {
              assertThat(snapshot.sequence()).isPositive();
              return CompletableFuture.supplyAsync(
                      () -> memory.forget(SPACE, ForgetRecords.of(scope.trajectory())).purged(),
                      task -> Thread.ofVirtual().name("other").start(task))
                  .join();
            });
    assertThat(purged).isFalse();
    assertThat(raw()).contains("swordfish");
    assertThat(store.purgeDeleted()).isTrue();
    assertThat(raw()).doesNotContain("swordfish");
  }

  /** Closes the store, after which only the file is left, without a log. */
  @Override
  public void settle() {
    closeStores();
  }

  /** Returns the store's own files; the index is rebuilt from records at any time. */
  @Override
  public String raw() {
    try (Stream<Path> files = Files.list(storeDirectory)) {
      return files.filter(Files::isRegularFile).map(SqliteForgetTest::bytes).toList().toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String bytes(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
