package dev.caliber.app;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a starter file says about its settings: the comment above each one, and its value as it is
 * written. Starter files are ours, so that one setting is one line.
 */
final class StarterComments {
  private static final Pattern TABLE = Pattern.compile("\\[([a-z0-9.-]+)\\]");
  private static final Pattern SETTING = Pattern.compile("([a-z0-9-]+) = (.+)");
  private static final String EMPTY_TABLE = "{}";

  private final Map<String, Said> settings = new LinkedHashMap<>();
  private final StringBuilder comment = new StringBuilder();
  private String table = "";

  /**
   * What is said about one setting.
   *
   * @param value as the file has it
   */
  record Said(String sentence, String value) {}

  private StarterComments() {}

  static StarterComments of(String starter) {
    var comments = new StarterComments();
    starter.lines().forEach(comments::read);
    return comments;
  }

  /** By the full name of the setting, or of a table. */
  Optional<Said> about(String key) {
    return Optional.ofNullable(settings.get(key));
  }

  private void read(String line) {
    Matcher header = TABLE.matcher(line);
    Matcher setting = SETTING.matcher(line);
    if (line.startsWith("#")) {
      comment.append(comment.isEmpty() ? "" : " ").append(line.substring(1).strip());
    } else if (header.matches()) {
      table = header.group(1);
      say(table, EMPTY_TABLE);
    } else if (setting.matches()) {
      say(table + "." + setting.group(1), setting.group(2));
    } else {
      comment.setLength(0);
    }
  }

  private void say(String key, String value) {
    settings.put(key, new Said(comment.toString(), value));
    comment.setLength(0);
  }
}
