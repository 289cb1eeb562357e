package dev.caliber.lang.pack;

import dev.caliber.kernel.Hashing;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The hashes that a pack's files should have. The same files always give the same lock.
 *
 * @param hashes the SHA-256 of each file, by its path
 */
public record PackLock(SortedMap<String, String> hashes) {
  private static final String KIND = "pack";
  private static final String RELOCK = "undo it, or lock the pack anew with 'caliber pack lock'";

  public PackLock {
    hashes = Collections.unmodifiableSortedMap(new TreeMap<>(hashes));
  }

  /** The lock of the files as they are, whatever lock lies beside them. */
  public static PackLock of(PackSource source) {
    var hashes = new TreeMap<String, String>();
    source.withoutLock().paths().forEach(path -> hashes.put(path, source.hash(path)));
    return new PackLock(hashes);
  }

  /** What {@code cal.lock} holds. */
  public String text() {
    return LockFormatV1.write(this);
  }

  /** One hash for all files. */
  public String hash() {
    return Hashing.hash(
        KIND,
        hashes.entrySet().stream()
            .flatMap(file -> Stream.of(file.getKey(), file.getValue()))
            .toArray(String[]::new));
  }

  /** Reports every file that is not what the pack's {@code cal.lock} says; without one, nothing. */
  static void verify(PackSource source, Findings findings) {
    if (source.has(PackSource.LOCK)) {
      var diagnostics = findings.in(PackSource.LOCK);
      LockFormatV1.read(source.text(PackSource.LOCK).orElse(""), diagnostics)
          .ifPresent(locked -> locked.compare(of(source), diagnostics));
    }
  }

  private void compare(PackLock found, Diagnostics diagnostics) {
    int line = LockFormatV1.FIRST_LINE;
    for (var file : hashes.entrySet()) {
      var place = LockFormatV1.place(line++, file.getKey());
      var hash = found.hashes.get(file.getKey());
      if (hash == null) {
        drift(file.getKey(), "was removed", place, diagnostics);
      } else if (!hash.equals(file.getValue())) {
        drift(file.getKey(), "was changed", place, diagnostics);
      }
    }
    found.hashes.keySet().stream()
        .filter(path -> !hashes.containsKey(path))
        .forEach(path -> drift(path, "was added", LockFormatV1.HEAD_PLACE, diagnostics));
  }

  private static void drift(String path, String what, Span place, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.LOCK_DRIFT,
        place,
        Wording.quote(path) + " " + what + " since the pack was locked",
        RELOCK);
  }
}
