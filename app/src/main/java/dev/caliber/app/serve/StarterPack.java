package dev.caliber.app.serve;

import dev.caliber.lang.pack.PackLock;
import dev.caliber.lang.pack.manifest.PackSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** The starter pack of a project: a resource of the jar, with its lock. */
public final class StarterPack {
  /** Name of the pack's directory. */
  static final String DIRECTORY = "pack";

  private static final String COUNT_WORDS = "tools/bin/count_words";

  /** Files that are executable. */
  static final Set<String> PROGRAMS = Set.of(COUNT_WORDS);

  private static final String RESOURCES = "starter-pack/";
  private static final List<String> FILES =
      List.of(
          PackSource.MANIFEST,
          "agents/assistant.md",
          COUNT_WORDS,
          "tools/prompts/summarise.md",
          "tools/contracts/count_words.schema.json",
          "tools/contracts/summarise.schema.json");

  private StarterPack() {}

  /** Returns every file by its path in the pack, {@code cal.lock} included. */
  public static Map<String, byte[]> files() {
    Map<String, byte[]> files = new TreeMap<>();
    FILES.forEach(path -> files.put(path, resource(RESOURCES + path)));
    String lock = PackLock.of(PackSource.of(files)).text();
    files.put(PackSource.LOCK, lock.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return files;
  }

  private static byte[] resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(StarterPack.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
