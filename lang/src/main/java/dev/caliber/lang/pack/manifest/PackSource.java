package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.FieldHash;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of a pack: relative paths and contents. From a directory or a request, they are within
 * {@link PackBounds}, none is outside the pack, and no two are the same file on a system that
 * ignores case.
 */
public final class PackSource {
  /** The file that every pack has. */
  public static final String MANIFEST = "cal.toml";

  /** The hashes of the other files, if the pack is locked. */
  public static final String LOCK = "cal.lock";

  private final SortedMap<String, byte[]> files;

  private PackSource(SortedMap<String, byte[]> files) {
    this.files = files;
  }

  /** Returns the files of a request; throws if a path or size is not allowed. */
  public static PackSource of(Map<String, byte[]> files) {
    var taken = new TreeMap<String, byte[]>();
    var folded = new HashMap<String, String>();
    long bytes = 0;
    for (var file : new TreeMap<>(files).entrySet()) {
      String path = file.getKey();
      bytes += file.getValue().length;
      requireAllowed(path, file.getValue().length, taken.size() + 1, bytes);
      var same = folded.put(PackPath.caseFolded(path), path);
      if (same != null) {
        throw PackException.pathRefused(path, "on some systems it is the same as '" + same + "'");
      }
      taken.put(path, file.getValue().clone());
    }
    return new PackSource(taken);
  }

  /** Reads all files of a directory; throws if it contains anything but plain files. */
  public static PackSource read(Path directory) {
    return of(PackDirectoryReader.read(directory));
  }

  private static void requireAllowed(String path, long length, int files, long bytes) {
    PackPath.findFault(path)
        .ifPresent(
            fault -> {
              throw PackException.pathRefused(path, fault);
            });
    if (length > PackBounds.FILE.max()) {
      throw PackException.tooLarge(PackBounds.FILE, path);
    }
    if (files > PackBounds.FILES.max()) {
      throw PackException.tooLarge(PackBounds.FILES, path);
    }
    if (bytes > PackBounds.BYTES.max()) {
      throw PackException.tooLarge(PackBounds.BYTES, path);
    }
  }

  /** Returns the paths of all files. */
  public SortedSet<String> paths() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(files.keySet()));
  }

  /** Returns the pack without its lock, to lock it again. */
  public PackSource withoutLock() {
    var others = new TreeMap<>(files);
    others.remove(LOCK);
    return new PackSource(others);
  }

  public boolean has(String path) {
    return files.containsKey(path);
  }

  public Optional<byte[]> bytes(String path) {
    return Optional.ofNullable(files.get(path)).map(byte[]::clone);
  }

  /** Returns the file as text; empty if it is missing, or is not UTF-8. */
  public Optional<String> text(String path) {
    return Optional.ofNullable(files.get(path)).flatMap(PackSource::decode);
  }

  public int size(String path) {
    var bytes = files.get(path);
    return bytes == null ? 0 : bytes.length;
  }

  /** Returns the SHA-256 of the file, in hexadecimal digits. */
  public String hash(String path) {
    return FieldHash.hex(FieldHash.sha256(files.getOrDefault(path, new byte[0])));
  }

  private static Optional<String> decode(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }
}
