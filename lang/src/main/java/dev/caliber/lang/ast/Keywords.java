package dev.caliber.lang.ast;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.Trigger;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Keywords of the language, by context. None is reserved: a memory may be named {@code scope}, and
 * a field {@code type}. Only filters reserve a few words.
 */
public final class Keywords {
  public static final String CALIBER = "caliber";
  public static final String MEMORY = "memory";
  public static final String POLICY = "policy";
  public static final String ADAPTER = "adapter";
  public static final String INJECT = "inject";
  public static final String INTO = "into";
  public static final String ON = "on";

  public static final String TYPE = "type";
  public static final String SCHEMA = "schema";
  public static final String RETENTION = "retention";
  public static final String INDEX = "index";
  public static final String LIFECYCLE = "lifecycle";
  public static final String ARTIFACTS = "artifacts";
  public static final String PARENT = "parent";
  static final String INJECT_ON = "inject_on";
  public static final String CONNECTION = "connection";
  static final String OPTIONS = "options";
  public static final String MODE = "mode";
  public static final String PRIORITY = "priority";
  public static final String MAX_TOKENS = "max_tokens";
  static final String FILTER = "filter";

  public static final String ENUM = "enum";
  public static final String SCHEDULE = "schedule";
  public static final String CONTAINS = "contains";
  public static final String AND = "and";
  public static final String OR = "or";
  public static final String NOT = "not";
  public static final String TRUE = "true";
  public static final String FALSE = "false";
  public static final String NULL = "null";
  public static final String NOW = "now";
  public static final String CURRENT_TRAJECTORY = "current_trajectory";

  /** Definitions of a configuration. */
  public static final List<String> DEFINITIONS = List.of(MEMORY, POLICY, ADAPTER, INJECT);

  public static final List<String> MEMORY_FIELDS =
      List.of(TYPE, SCHEMA, RETENTION, INDEX, LIFECYCLE, ARTIFACTS, PARENT, INJECT_ON);
  public static final List<String> ADAPTER_FIELDS = List.of(TYPE, CONNECTION, OPTIONS);
  public static final List<String> INJECTION_FIELDS = List.of(MODE, PRIORITY, MAX_TOKENS, FILTER);
  public static final List<String> MEMORY_TYPES = words(MemoryType.values());
  public static final List<String> FIELD_TYPES =
      append(words(FieldType.PrimitiveType.values()), ENUM);
  public static final List<String> INDEX_TYPES = words(IndexType.values());
  public static final List<String> ADAPTER_TYPES = words(AdapterType.values());
  public static final List<String> TRIGGERS =
      append(words(Trigger.TrajectoryTriggerEvent.values()), SCHEDULE);
  public static final List<String> RETENTIONS =
      List.of("persistent", "session", "scope", "max", "compress_on");
  public static final List<String> LIFECYCLES = List.of("explicit", "auto_close");
  public static final List<String> ACTIONS =
      List.of("summarize", "extract_artifacts", INJECT, "prune", "checkpoint", "notify");
  public static final List<String> MODES = List.of("full", "summary", "top_k", "relevant");
  public static final List<String> CRITERIA = List.of("older_than", "below_confidence");
  public static final List<String> UNITS = words(DurationNode.Unit.values());

  /** Words between the parts of a filter, which cannot be fields or values there. */
  public static final List<String> FILTER_WORDS = List.of(AND, OR, NOT, CONTAINS);

  /** Words that are values themselves. */
  public static final List<String> VALUE_WORDS =
      List.of(TRUE, FALSE, NULL, NOW, CURRENT_TRAJECTORY);

  private Keywords() {}

  /** Returns the word of a constant in a configuration. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> words(Enum<?>[] constants) {
    return Stream.of(constants).map(Keywords::word).toList();
  }

  private static List<String> append(List<String> words, String more) {
    return Stream.concat(words.stream(), Stream.of(more)).toList();
  }
}
