package dev.caliber.lang.prompt;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Sections of an agent's prompt, in the required order. */
public enum SectionKind {
  /** Text under no heading of the contract: all of a tool's prompt. */
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

  /** Returns the sections that have a heading. */
  static List<SectionKind> kindsWithHeading() {
    return List.of(SYSTEM, PCP, USER);
  }

  /** Returns the section with exactly this heading. */
  static Optional<SectionKind> findExact(int level, String title) {
    return kindsWithHeading().stream()
        .filter(kind -> kind.level == level && kind.title.equals(title))
        .findFirst();
  }

  /** Returns the section that a heading of another level, case or length resembles. */
  static Optional<SectionKind> findSimilar(String title) {
    String word = NO_LETTERS.split(title, 2)[0];
    return kindsWithHeading().stream()
        .filter(kind -> kind.title.equalsIgnoreCase(word))
        .findFirst();
  }

  /** Returns its heading as it is written. */
  String heading() {
    return "#".repeat(level) + " " + title;
  }
}
