package dev.caliber.gates;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Gate on pages (STYLE rule 21): a page begins with its purpose and an example, its paragraphs and
 * list items are short, its links lead somewhere, and each decision record is complete.
 */
final class Pages {
  private static final int LONGEST_ITEM = 400;
  private static final int LONGEST_PARAGRAPH = 600;

  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|<!--.*?-->");
  private static final Pattern BLOCK = Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-*]|\\d+\\.)\\s)");
  private static final Pattern ITEM = Pattern.compile("(?:[-*]|\\d+\\.)\\s[\\s\\S]*");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$|<a id=\"([\\w-]+)\"");
  private static final Pattern EXAMPLE = Pattern.compile("```|[Ee]xample");
  private static final List<String> PARTS =
      List.of("**Problem.**", "**Decision.**", "**Rejected", "**When to reopen.**");

  private Pages() {}

  /** Returns what a page lacks at its beginning: its purpose in a paragraph, and an example. */
  static List<GateFinding> beginning(String path, String text) {
    var findings = new ArrayList<GateFinding>();
    var blocks = text.split("\n\n", 3);
    if (blocks.length < 2 || !Character.isLetter(blocks[1].replaceAll("^[`*\\[]+", "").charAt(0))) {
      findings.add(new GateFinding(path, "does not begin with what it is for"));
    }
    var sections = text.split("(?m)^## ", 3);
    if (!EXAMPLE.matcher(sections[0] + (sections.length > 1 ? sections[1] : "")).find()) {
      findings.add(new GateFinding(path, "has no example before its second section"));
    }
    return List.copyOf(findings);
  }

  /** Returns paragraphs and list items that are too long; tables and code are not counted. */
  static List<GateFinding> walls(String path, String text) {
    return BLOCK
        .splitAsStream(CODE.matcher(text).replaceAll(""))
        .map(String::strip)
        .filter(block -> !block.startsWith("|"))
        .filter(
            block ->
                block.length() > (ITEM.matcher(block).matches() ? LONGEST_ITEM : LONGEST_PARAGRAPH))
        .map(
            block ->
                new GateFinding(
                    path,
                    block.length() + " characters, split it: " + block.lines().findFirst().get()))
        .toList();
  }

  /** Returns relative links of a page to a missing file or a missing heading. */
  static List<GateFinding> brokenLinks(Path file, String text) {
    return LINK.matcher(CODE.matcher(text).replaceAll(""))
        .results()
        .map(link -> link.group(1))
        .filter(target -> !target.contains(":"))
        .filter(target -> isBroken(file, text, target))
        .map(target -> new GateFinding(file.toString(), target + " does not exist"))
        .toList();
  }

  private static boolean isBroken(Path file, String text, String target) {
    var parts = target.split("#", 2);
    var linked = file.resolveSibling(parts[0]);
    if (parts.length == 1) {
      return !Files.exists(linked);
    }
    if (parts[0].isEmpty()) {
      return !headings(text).contains(parts[1]);
    }
    return !Files.isRegularFile(linked) || !headings(Repository.text(linked)).contains(parts[1]);
  }

  private static Set<String> headings(String text) {
    return HEADING
        .matcher(text)
        .results()
        .map(heading -> heading.group(1) == null ? heading.group(2) : heading.group(1))
        .map(heading -> heading.toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** Returns what is wrong with a decision record: a missing part, or no row in the index. */
  static List<GateFinding> decision(String name, String text, String index) {
    var findings = new ArrayList<GateFinding>();
    for (var part : PARTS) {
      if (!text.contains(part)) {
        findings.add(new GateFinding(name, "has no part " + part));
      }
    }
    var title = text.lines().findFirst().orElse("").replaceFirst("^# (\\d{4}) ", "");
    if (!index.contains("| [%s](%s) | %s |".formatted(name.substring(0, 4), name, title))) {
      findings.add(new GateFinding(name, "is not in the index with its title"));
    }
    return List.copyOf(findings);
  }
}
