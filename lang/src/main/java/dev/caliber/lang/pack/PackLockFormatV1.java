package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code cal.lock}, version 1: UTF-8 text, each line ended by LF.
 *
 * <pre>{@code
 * # caliber lock 1
 * hash "  " path          one line for each file but cal.lock, sorted by the path's UTF-16 units
 * }</pre>
 *
 * {@code hash} is the SHA-256 of the file in 64 lower-case hexadecimal digits; {@code path} is
 * relative to the pack, with {@code /} between its parts. So {@code sha256sum -c cal.lock} checks
 * it too. Nothing else may stand in it. A change is a LockFormatV2; this one keeps reading.
 */
final class PackLockFormatV1 {
  static final String HEAD = "# caliber lock 1";
  static final Span HEAD_PLACE = new Span(1, 1, 1, HEAD.length() + 1);
  static final int FIRST_LINE = 2;

  private static final int HASH = 64;
  private static final String GAP = "  ";
  private static final Pattern LINE = Pattern.compile("[0-9a-f]{64} {2}(.+)", Pattern.DOTALL);

  private PackLockFormatV1() {}

  static String write(PackLock lock) {
    return lock.hashes().entrySet().stream()
        .map(file -> file.getValue() + GAP + file.getKey() + "\n")
        .collect(Collectors.joining("", HEAD + "\n", ""));
  }

  /** Returns the span of a file's path in the lock. */
  static Span place(int line, String path) {
    int column = HASH + GAP.length() + 1;
    return new Span(line, column, line, column + path.codePointCount(0, path.length()));
  }

  static Optional<PackLock> read(String text, Diagnostics diagnostics) {
    var hashes = new TreeMap<String, String>();
    var lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
      return refused(1, "the first line is not '" + HEAD + "'", diagnostics);
    }
    for (int i = 1; i < lines.size(); i++) {
      var line = LINE.matcher(lines.get(i));
      if (!line.matches()) {
        return refused(
            i + 1, "a line does not consist of a hash, two blanks and a path", diagnostics);
      }
      hashes.put(line.group(1), lines.get(i).substring(0, HASH));
    }
    var lock = new PackLock(hashes);
    return write(lock).equals(text)
        ? Optional.of(lock)
        : refused(1, "the lines are not sorted, or a path is listed twice", diagnostics);
  }

  private static Optional<PackLock> refused(int line, String message, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.INVALID_LOCK,
        new Span(line, 1, line, 1),
        message,
        "write the lock with 'caliber pack lock'");
    return Optional.empty();
  }
}
