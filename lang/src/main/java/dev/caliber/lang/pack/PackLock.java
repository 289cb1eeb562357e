package dev.caliber.lang.pack;

import dev.caliber.kernel.FieldHash;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.PackSource;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The hashes of a pack's files. The same files always give the same lock.
 *
 * @param hashes the SHA-256 of each file, by its path
 */
public record PackLock(SortedMap<String, String> hashes) {
  private static final String KIND = "pack";
  private static final String RELOCK =
      "undo the change, or lock the pack again with 'caliber pack lock'";

  public PackLock {
    hashes = Collections.unmodifiableSortedMap(new TreeMap<>(hashes));
  }

  /** Returns the lock of the present files, whatever their {@code cal.lock} says. */
  public static PackLock of(PackSource source) {
    var hashes = new TreeMap<String, String>();
    source.withoutLock().paths().forEach(path -> hashes.put(path, source.hash(path)));
    return new PackLock(hashes);
  }

  /** Returns the content of {@code cal.lock}. */
  public String text() {
    return PackLockFormatV1.write(this);
  }

  /** Returns one hash for all files. */
  public String hash() {
    return FieldHash.hash(
        KIND,
        hashes.entrySet().stream()
            .flatMap(file -> Stream.of(file.getKey(), file.getValue()))
            .toArray(String[]::new));
  }

  /** Reports every file that differs from the pack's {@code cal.lock}; nothing if there is none. */
  static void verify(PackSource source, PackDiagnostics packDiagnostics) {
    if (source.has(PackSource.LOCK)) {
      var diagnostics = packDiagnostics.inFile(PackSource.LOCK);
      PackLockFormatV1.read(source.text(PackSource.LOCK).orElse(""), diagnostics)
          .ifPresent(locked -> locked.compare(of(source), diagnostics));
    }
  }

  private void compare(PackLock found, Diagnostics diagnostics) {
    int line = PackLockFormatV1.FIRST_LINE;
    for (var file : hashes.entrySet()) {
      var place = PackLockFormatV1.place(line++, file.getKey());
      var hash = found.hashes.get(file.getKey());
      if (hash == null) {
        reportDrift(file.getKey(), "was removed", place, diagnostics);
      } else if (!hash.equals(file.getValue())) {
        reportDrift(file.getKey(), "was changed", place, diagnostics);
      }
    }
    found.hashes.keySet().stream()
        .filter(path -> !hashes.containsKey(path))
        .forEach(path -> reportDrift(path, "was added", PackLockFormatV1.HEAD_PLACE, diagnostics));
  }

  private static void reportDrift(String path, String what, Span place, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.LOCK_DRIFT,
        place,
        DiagnosticText.quote(path) + " " + what + " since the pack was locked",
        RELOCK);
  }
}
