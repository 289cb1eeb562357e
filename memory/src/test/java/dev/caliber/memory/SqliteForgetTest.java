package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

final class SqliteForgetTest extends ForgetContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.sqlite(directory);
  }

  /** After the close there is no log any more, only the file. */
  @Override
  void settle() {
    closeStores();
  }

  /** The store's own files; the index beside them is made anew from records at any time. */
  @Override
  String raw() {
    try (Stream<Path> files = Files.list(directory)) {
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
