package dev.caliber.lang;

import dev.caliber.kernel.Json;
import dev.caliber.lang.ast.Keywords;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The TextMate grammar of the language for editors, generated from the compiler's own tables of
 * keywords. The resource {@code caliber.tmLanguage.json} is its text.
 */
public final class TextMateGrammar {
  private static final String NAME = "[a-z_][a-z0-9_]*";
  private static final String SUFFIX = ".caliber";

  private TextMateGrammar() {}

  /** Returns the text of the resource. */
  public static String json() {
    return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(grammar()) + "\n";
  }

  private static Map<String, Object> grammar() {
    return Map.of(
        "name",
        "Caliber",
        "scopeName",
        "source.caliber",
        "fileTypes",
        List.of("caliber"),
        "patterns",
        patterns());
  }

  /* The first pattern that matches at a position wins, so the special ones come first. */
  private static List<Map<String, Object>> patterns() {
    return List.of(
        match("comment.line.double-slash", "//.*$"),
        text(),
        match("constant.numeric.duration", "\\b[0-9]+[" + String.join("", Keywords.UNITS) + "]\\b"),
        match("constant.numeric", "-?\\b[0-9]+(?:\\.[0-9]+)?\\b"),
        captures(
            "\\b(" + alternatives(List.of("memory", "policy", "adapter")) + ")\\s+(" + NAME + ")",
            "keyword.control",
            "entity.name.type"),
        captures(
            "\\b(inject)\\s+(" + NAME + ")\\s+(into)\\s+(" + NAME + ")",
            "keyword.control",
            "entity.name.type",
            "keyword.control",
            "entity.name.type"),
        match("keyword.control", "\\bcaliber\\b(?=\\s*:)|\\bon\\b(?=\\s+" + NAME + ")"),
        match("keyword.other.field", words(fields()) + "(?=\\s*:)"),
        match(
            "support.function",
            words(
                    join(
                        Stream.of(
                            Keywords.ACTIONS,
                            Keywords.CRITERIA,
                            List.of(
                                "top_k",
                                "relevant",
                                "max",
                                "auto_close",
                                "schedule",
                                "enum",
                                "now"))))
                + "(?=\\s*\\()"),
        match("variable.other.field", "\\b" + NAME + "\\b(?=\\s*:)"),
        match("storage.type", words(join(Stream.of(Keywords.FIELD_TYPES, Keywords.INDEX_TYPES)))),
        match("constant.language", words(constants())),
        match("keyword.operator", words(Keywords.FILTER_WORDS) + "|!=|>=|<=|=|>|<|~"));
  }

  private static List<String> fields() {
    return join(
        Stream.of(
            Keywords.MEMORY_FIELDS,
            Keywords.ADAPTER_FIELDS,
            Keywords.INJECTION_FIELDS,
            List.of("compress_on")));
  }

  private static List<String> constants() {
    return join(
        Stream.of(
            Keywords.MEMORY_TYPES,
            Keywords.ADAPTER_TYPES,
            Keywords.TRIGGERS,
            Keywords.RETENTIONS,
            Keywords.LIFECYCLES,
            Keywords.MODES,
            Keywords.VALUE_WORDS));
  }

  private static Map<String, Object> text() {
    return Map.of(
        "name",
        "string.quoted.double" + SUFFIX,
        "begin",
        "\"",
        "end",
        "\"|$",
        "patterns",
        List.of(
            match("constant.character.escape", "\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4})"),
            match("invalid.illegal.escape", "\\\\.")));
  }

  private static Map<String, Object> match(String scope, String pattern) {
    return Map.of("name", scope + SUFFIX, "match", pattern);
  }

  private static Map<String, Object> captures(String pattern, String... scopes) {
    Map<String, Object> captures = new TreeMap<>();
    for (int i = 0; i < scopes.length; i++) {
      captures.put(Integer.toString(i + 1), Map.of("name", scopes[i] + SUFFIX));
    }
    return Map.of("match", pattern, "captures", captures);
  }

  private static String words(List<String> words) {
    return "\\b(?:" + alternatives(words) + ")\\b";
  }

  private static String alternatives(List<String> words) {
    return String.join("|", words);
  }

  private static List<String> join(Stream<List<String>> lists) {
    return lists.flatMap(List::stream).distinct().toList();
  }
}
