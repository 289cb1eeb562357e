package dev.caliber.lang.pack.manifest;

import dev.caliber.lang.Catalogues;
import dev.caliber.lang.GoldenFiles;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.PackComposer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The packs of the tests. */
public final class Packs {
  public static final PackComposer COMPOSER = PackComposer.create(Catalogues.product());

  private Packs() {}

  /** Returns the smallest pack that has an effect. */
  public static PackSource min() {
    return PackSource.read(GoldenFiles.resource("pack_min"));
  }

  /** Returns a pack with every key. */
  public static PackSource full() {
    return PackSource.read(GoldenFiles.resource("pack_full"));
  }

  public static Map<String, byte[]> files(PackSource source) {
    var files = new HashMap<String, byte[]>();
    source.paths().forEach(path -> files.put(path, source.bytes(path).orElseThrow()));
    return files;
  }

  /** Returns the pack with one piece of a file replaced. */
  public static PackSource replaced(PackSource source, String path, String old, String with) {
    String text = source.text(path).orElseThrow();
    if (!text.contains(old)) {
      throw new IllegalArgumentException("wanted " + old + " in " + path);
    }
    return with(source, path, text.replace(old, with));
  }

  public static PackSource with(PackSource source, String path, String text) {
    var files = files(source);
    files.put(path, text.getBytes(StandardCharsets.UTF_8));
    return PackSource.of(files);
  }

  public static PackSource without(PackSource source, String path) {
    var files = files(source);
    files.remove(path);
    return PackSource.of(files);
  }

  public static ComposeResult.ComposeSuccess composed(PackSource source) {
    return switch (COMPOSER.compose(source)) {
      case ComposeResult.ComposeSuccess composeSuccess -> composeSuccess;
      case ComposeResult.ComposeFailure composeFailure ->
          throw new AssertionError(composeFailure.diagnostics().toString());
    };
  }
}
