package dev.caliber.lang.diagnostic;

/** Codes of diagnostics. A code never changes its meaning. */
public enum DiagnosticCode {
  SOURCE_TOO_LARGE("The source is longer than a configuration may be; it is not read at all."),
  UNEXPECTED_CHARACTER("A character that the language does not use. Comments begin with `//`."),
  UNTERMINATED_STRING(
      "A text has no closing quotation mark on its line; a line break inside a text is written `\\n`."),
  INVALID_ESCAPE(
      "A backslash is followed by something other than `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t` or `u` and four hexadecimal digits, or half of a surrogate pair stands alone."),
  TOKEN_TOO_LONG("A name, a number or a text is longer than the language allows."),
  INVALID_NUMBER(
      "A number is not written as digits, or as digits, a point and digits; a minus may come first."),
  INVALID_DURATION(
      "A duration is not a whole number directly followed by s, m, h, d or w, or it is longer than time can be counted."),
  INVALID_IDENTIFIER("A name has characters other than a-z, 0-9 and `_`, or begins with a digit."),
  UNEXPECTED_TOKEN("The language does not allow this text at this place."),
  UNKNOWN_WORD("A word that the language does not allow at this place."),
  MISSING_SEPARATOR(
      "Two entries of a list have no comma between them, or a comma has no entry after it."),
  EMPTY_LIST("A list that needs at least one entry has none."),
  UNCLOSED_BLOCK("A brace is not closed before the next definition or the end of the source."),
  NESTING_TOO_DEEP("Parentheses, brackets or braces are nested deeper than the language allows."),
  TRAILING_INPUT("Something follows the closing brace of the configuration."),
  TOO_MANY_DIAGNOSTICS("There are more diagnostics than the compiler shows."),

  UNKNOWN_HEADING(
      "An agent's prompt has a heading other than `# System`, `## PCP` and `### User`, written exactly so."),
  MISSING_HEADING(
      "An agent's prompt lacks one of `# System`, `## PCP` and `### User`.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.MISSING_REQUIRED),
  DUPLICATE_HEADING(
      "`# System` or `## PCP` occurs twice in a prompt; only `### User` may occur more than once."),
  HEADING_ORDER("The headings of a prompt are not in the order `# System`, `## PCP`, `### User`."),
  TEXT_OUTSIDE_SECTION("An agent's prompt has text before its first heading."),
  UNKNOWN_FENCE("A fenced block of a prompt is not `tool`, `json`, `xml` or `cal.context`."),
  UNKNOWN_FENCE_WORD(
      "The word of a fenced block is followed by something other than `global`, or a payload is marked global."),
  UNCLOSED_FENCE("A fenced block is not closed, so that the rest of the file is in it."),
  MISPLACED_BLOCK(
      "A heading or a fenced block of a prompt is inside a list or a quote, where it is not recognised."),
  TOO_MANY_BLOCKS("A prompt has more headings and fenced blocks than a prompt may have."),
  INVALID_TOOL_BLOCK("A `tool` block is not exactly one reference to a tool."),
  PAYLOAD_WITHOUT_TOOL("A `json` or `xml` block has no `tool` block before it in its section."),
  MULTIPLE_PAYLOADS("Two `json` or `xml` blocks follow one `tool` block."),
  INVALID_PAYLOAD(
      "A payload is not well-formed JSON or XML, is not one value, or is XML with a document type."),
  BLOCK_OUTSIDE_USER(
      "A fenced block is before any `### User` and is not marked `global`, so that it belongs to no"
          + " section."),
  DUPLICATE_CONTEXT("A prompt has more than one `cal.context` block."),
  NOT_A_REFERENCE(
      "Under `strict_refs`, a value in a fenced block is something other than references. The structure around values is free."),
  MALFORMED_REFERENCE(
      "A reference is not written as `${meta.key}`, `${agents.name.key}`, `${tools.group.name}`, `${ENV:NAME}` or `${INPUT:name}`."),
  UNKNOWN_REFERENCE("A reference names something that does not exist."),
  REFERENCE_NOT_ALLOWED(
      "A reference of this kind cannot stand here: `${ENV:NAME}` only in adapters and providers of `cal.toml`, `${INPUT:name}` only in prompts."),
  RAW_SECRET(
      "Text that looks like a key, a token, a password or a private key. Packs refer to secrets as"
          + " `${ENV:NAME}` and never contain them. The text is not repeated in the message."),
  TOOL_REGISTRATION("A prompt registers a tool. Tools are registered in `cal.toml` only."),

  UNSUPPORTED_VERSION(
      "The configuration is written for a version of the grammar that this compiler does not know."),
  DUPLICATE_DEFINITION("Two memories, two policies or two adapters have the same name."),
  DUPLICATE_FIELD("A field, a column or a key is given twice in the same block."),
  DUPLICATE_VALUE("A value is listed twice."),
  MISSING_FIELD(
      "A definition lacks a field that has no default; nothing is assumed silently.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.MISSING_REQUIRED),
  EMPTY_TEXT("A text that must not be empty is empty."),
  UNKNOWN_MEMORY(
      "A policy, an injection or a parent names a memory that the configuration does not define."),
  UNKNOWN_TARGET("The target of an injection is neither a memory nor a target of the runtime."),
  UNUSED_INJECTION(
      "An injection into a memory. Contexts are composed of injections into a target of the"
          + " runtime, such as `context`, so this one has no effect.",
      DiagnosticSeverity.WARNING,
      ConfigErrorCategory.INVALID_VALUE),
  UNUSED_MODE(
      "The records of a memory do not support this mode and are injected in full.",
      DiagnosticSeverity.WARNING,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  PARENT_CYCLE(
      "Memories are each other's parents.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  UNKNOWN_FIELD("A filter or an index names a field that the memory does not have."),
  FIELD_TYPE_CONFLICT(
      "A schema gives a field another type than the runtime's record has.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  WRONG_COMPARATOR(
      "Fields of this type cannot be compared with this operator.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  WRONG_VALUE_TYPE("The value has another type than the field."),
  UNKNOWN_ENUM_VALUE(
      "The value is not one of the enumeration, so the comparison may never be true.",
      DiagnosticSeverity.WARNING,
      ConfigErrorCategory.INVALID_VALUE),
  OUT_OF_RANGE("A number is not whole, or is outside the range that is allowed at this place."),
  INVALID_CRON("A schedule is not the five fields of cron, or names a date that does not exist."),
  PROVIDER_NOT_SUPPORTED(
      "The language has a keyword for this storage, but the runtime does not support it.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.PROVIDER_NOT_SUPPORTED),
  INCOMPATIBLE_INDEX(
      "Fields of this type cannot have this kind of index.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_RETENTION(
      "A memory's type and its retention contradict each other.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_LIFECYCLE(
      "A trigger other than the end of a scope or of a task is to close a memory; only these two can.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_PRUNE(
      "A policy prunes a memory by confidence, but the records of the memory have no confidence.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  EMPTY_POLICY(
      "A policy has no rules and does nothing.",
      DiagnosticSeverity.WARNING,
      ConfigErrorCategory.MISSING_REQUIRED),

  MISSING_FILE(
      "The pack lacks a file: `cal.toml`, or one that `cal.toml` names.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.MISSING_REQUIRED),
  NOT_TEXT("A file that has to be text in UTF-8 is not."),
  INVALID_TOML("`cal.toml` is not valid TOML 1.0."),
  UNKNOWN_KEY("`cal.toml` has a section or a key that packs do not have."),
  MISSING_KEY(
      "A table of `cal.toml` lacks a key that has no default; nothing is assumed silently.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.MISSING_REQUIRED),
  PATH_OUTSIDE_PACK(
      "A path does not name a file inside the pack: it is absolute, leaves the pack, or is not the"
          + " same on every system."),
  PROFILE_NOT_ALLOWED(
      "A profile does not equal a row of `settings.matrix.allowed`; the values count, not the"
          + " names.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  PROFILE_OVERRIDDEN(
      "An agent sets a setting of its profile, and `enforce_profiles_only` forbids it.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_SETTINGS(
      "Two settings of a pack contradict each other.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  BUDGET_EXCEEDED(
      "An injection may take more tokens than the largest context of the pack has.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  INVALID_CONTRACT("A contract is not a self-contained JSON Schema of draft 2020-12."),
  TOOL_NOT_GRANTED(
      "An agent's prompt calls a tool that is in none of the agent's toolsets.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  TOOL_CYCLE(
      "Prompt tools call each other in a circle.",
      DiagnosticSeverity.ERROR,
      ConfigErrorCategory.INCOMPATIBLE_OPTIONS),
  UNUSED_FILE(
      "`cal.toml` names no use of a prompt or a contract in `agents` or `tools`.",
      DiagnosticSeverity.WARNING,
      ConfigErrorCategory.INVALID_VALUE),
  INVALID_LOCK("`cal.lock` does not have the format of a lock."),
  LOCK_DRIFT("A file was changed, added or removed since the pack was locked.");

  private final String description;
  private final DiagnosticSeverity diagnosticSeverity;
  private final ConfigErrorCategory error;

  DiagnosticCode(String description) {
    this(description, DiagnosticSeverity.ERROR, ConfigErrorCategory.INVALID_VALUE);
  }

  DiagnosticCode(
      String description, DiagnosticSeverity diagnosticSeverity, ConfigErrorCategory error) {
    this.description = description;
    this.diagnosticSeverity = diagnosticSeverity;
    this.error = error;
  }

  /** Returns the meaning, in a sentence or two of Markdown. */
  public String description() {
    return description;
  }

  public DiagnosticSeverity severity() {
    return diagnosticSeverity;
  }

  /** Returns the category that callers of the API see. */
  public ConfigErrorCategory error() {
    return error;
  }
}
