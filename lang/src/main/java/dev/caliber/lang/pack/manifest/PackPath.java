package dev.caliber.lang.pack.manifest;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rules of a path inside a pack: relative, with {@code /} between its parts, and the same file on
 * every system.
 */
public final class PackPath {
  private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:.*");
  private static final Pattern FORBIDDEN =
      Pattern.compile("[\\\\:*?\"<>|\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]");

  /** Names of devices on some systems, whatever their extension. */
  private static final Set<String> DEVICES =
      Set.of(
          "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
          "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9");

  private PackPath() {}

  /** Returns the fault of a path; empty for a valid one. */
  public static Optional<String> findFault(String path) {
    if (path.isEmpty()) {
      return Optional.of("the path is empty");
    }
    if (path.length() > PackBounds.PATH) {
      return Optional.of("the path is longer than " + PackBounds.PATH + " characters");
    }
    if (path.startsWith("/") || path.startsWith("~") || DRIVE.matcher(path).matches()) {
      return Optional.of("the path is absolute");
    }
    if (FORBIDDEN.matcher(path).find()) {
      return Optional.of("the path has characters that are not the same on every system");
    }
    return faultOfParts(List.of(path.split("/", -1)));
  }

  private static Optional<String> faultOfParts(List<String> parts) {
    if (parts.size() > PackBounds.DEPTH) {
      return Optional.of("the path is more than " + PackBounds.DEPTH + " levels deep");
    }
    return parts.stream().flatMap(part -> faultOfPart(part).stream()).findFirst();
  }

  private static Optional<String> faultOfPart(String part) {
    if (part.equals("..")) {
      return Optional.of("the path leaves the pack");
    }
    if (part.isEmpty() || part.equals(".") || part.endsWith(".") || !part.strip().equals(part)) {
      return Optional.of("a part of the path is empty, or begins or ends with a blank or a dot");
    }
    int dot = part.indexOf('.');
    String stem = (dot < 0 ? part : part.substring(0, dot)).toLowerCase(Locale.ROOT);
    return DEVICES.contains(stem)
        ? Optional.of("'" + stem + "' is a device on some systems")
        : Optional.empty();
  }

  /** Returns a form that is equal for paths that some systems treat as the same. */
  static String caseFolded(String path) {
    return Normalizer.normalize(
        path.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
  }
}
