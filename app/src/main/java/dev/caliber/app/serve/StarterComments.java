package dev.caliber.app.serve;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Comments of a starter file: the sentence above each setting, and its value as written. Starter
 * files are ours, so one setting is one line.
 */
final class StarterComments {
  private static final Pattern TABLE = Pattern.compile("\\[([a-z0-9.-]+)\\]");
  private static final Pattern SETTING = Pattern.compile("([a-z0-9-]+) = (.+)");
  private static final String EMPTY_TABLE = "{}";

  private final Map<String, SettingComment> settings = new LinkedHashMap<>();
  private final StringBuilder comment = new StringBuilder();
  private String table = "";

  /**
   * The comment on one setting.
   *
   * @param value as the file has it
   */
  record SettingComment(String sentence, String value) {}

  private StarterComments() {}

  static StarterComments of(String starter) {
    var comments = new StarterComments();
    starter.lines().forEach(comments::parseLine);
    return comments;
  }

  /** Returns the comment on a setting or table, by its full name. */
  Optional<SettingComment> commentOn(String key) {
    return Optional.ofNullable(settings.get(key));
  }

  private void parseLine(String line) {
    Matcher header = TABLE.matcher(line);
    Matcher setting = SETTING.matcher(line);
    if (line.startsWith("#")) {
      comment.append(comment.isEmpty() ? "" : " ").append(line.substring(1).strip());
    } else if (header.matches()) {
      table = header.group(1);
      addComment(table, EMPTY_TABLE);
    } else if (setting.matches()) {
      addComment(table + "." + setting.group(1), setting.group(2));
    } else {
      comment.setLength(0);
    }
  }

  private void addComment(String key, String value) {
    settings.put(key, new SettingComment(comment.toString(), value));
    comment.setLength(0);
  }
}
