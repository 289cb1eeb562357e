package dev.caliber.lang.prompt;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The parts of an agent's prompt, in the order they have to stand in. */
public enum SectionKind {
  /** What stands under no heading of the contract: all of a tool's prompt. */
  BODY(0, ""),
  SYSTEM(1, "System"),
  PCP(2, "PCP"),
  USER(3, "User");

  private static final Pattern NO_LETTERS = Pattern.compile("\\P{L}");

  private final int level;
  private final String title;

  SectionKind(int level, String title) {
    this.level = level;
    this.title = title;
  }

  /** Those that have a heading. */
  static List<SectionKind> headed() {
    return List.of(SYSTEM, PCP, USER);
  }

  /** The one with exactly this heading. */
  static Optional<SectionKind> of(int level, String title) {
    return headed().stream()
        .filter(kind -> kind.level == level && kind.title.equals(title))
        .findFirst();
  }

  /** The one that is meant by a heading of another level, in other letters, or with more words. */
  static Optional<SectionKind> meant(String title) {
    String word = NO_LETTERS.split(title, 2)[0];
    return headed().stream().filter(kind -> kind.title.equalsIgnoreCase(word)).findFirst();
  }

  /** Its heading as it is written. */
  String heading() {
    return "#".repeat(level) + " " + title;
  }
}
