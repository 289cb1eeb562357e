package dev.caliber.lang.diagnostic;

/** What can be said about a configuration. A code never changes its meaning. */
public enum DiagnosticCode {
  SOURCE_TOO_LARGE("The source is longer than a configuration may be; it is not read at all."),
  UNEXPECTED_CHARACTER("A character that the language has no use for. Comments begin with `//`."),
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
  UNEXPECTED_TOKEN("Something else has to stand here."),
  UNKNOWN_WORD("A word that is not among those that may stand here."),
  MISSING_SEPARATOR(
      "Two entries of a list have no comma between them, or a comma has no entry after it."),
  EMPTY_LIST("A list that needs at least one entry has none."),
  UNCLOSED_BLOCK("A brace is not closed before the next definition or the end of the source."),
  NESTING_TOO_DEEP("Parentheses, brackets or braces are nested deeper than the language allows."),
  TRAILING_INPUT("Something follows the closing brace of the configuration."),
  TOO_MANY_DIAGNOSTICS("There is more to say than is shown."),

  UNKNOWN_HEADING(
      "An agent's prompt has a heading other than `# System`, `## PCP` and `### User`, written exactly so."),
  MISSING_HEADING(
      "An agent's prompt lacks one of `# System`, `## PCP` and `### User`.",
      Severity.ERROR,
      ConfigError.MISSING_REQUIRED),
  DUPLICATE_HEADING("`# System` or `## PCP` stands twice in a prompt; only `### User` may."),
  HEADING_ORDER("The headings of a prompt are not in the order `# System`, `## PCP`, `### User`."),
  TEXT_OUTSIDE_SECTION("An agent's prompt has text before its first heading."),
  UNKNOWN_FENCE("A fenced block of a prompt is not `tool`, `json`, `xml` or `cal.context`."),
  UNKNOWN_FENCE_WORD(
      "Behind the word of a fenced block stands something other than `global`, or a payload is marked global."),
  UNCLOSED_FENCE("A fenced block is not closed, so that the rest of the file is in it."),
  MISPLACED_BLOCK("A heading or a fenced block of the contract stands in a list or a quote."),
  TOO_MANY_BLOCKS("A prompt has more headings and fenced blocks than it may have."),
  INVALID_TOOL_BLOCK("A `tool` block is not exactly one reference to a tool."),
  PAYLOAD_WITHOUT_TOOL("A `json` or `xml` block has no `tool` block before it in its section."),
  MULTIPLE_PAYLOADS("Two `json` or `xml` blocks follow one `tool` block."),
  INVALID_PAYLOAD(
      "A payload is not well-formed JSON or XML, is not one value, or is XML with a document type."),
  BLOCK_OUTSIDE_USER(
      "A fenced block stands before any `### User` and is not marked `global`, so that it belongs to nothing."),
  DUPLICATE_CONTEXT("A prompt has more than one `cal.context` block."),
  NOT_A_REFERENCE(
      "Under `strict_refs`, a value in a fenced block is something other than references. The structure around values is free."),
  MALFORMED_REFERENCE(
      "A reference is not written as `${meta.key}`, `${agents.name.key}`, `${tools.group.name}`, `${ENV:NAME}` or `${INPUT:name}`."),
  UNKNOWN_REFERENCE("A reference names something that does not exist."),
  REFERENCE_NOT_ALLOWED(
      "A reference of this kind cannot stand here: `${ENV:NAME}` only in adapters and providers of `cal.toml`, `${INPUT:name}` only in prompts."),
  RAW_SECRET(
      "Something looks like a key, a token, a password or a private key. Packs refer to secrets as `${ENV:NAME}` and never hold them. What was found is not repeated here."),
  TOOL_REGISTRATION("A prompt registers a tool. Tools are registered in `cal.toml` only."),

  UNSUPPORTED_VERSION(
      "The configuration is written for a version of the grammar that this compiler does not know."),
  DUPLICATE_DEFINITION("Two memories, two policies or two adapters have the same name."),
  DUPLICATE_FIELD("A field, a column or a key is given twice in the same block."),
  DUPLICATE_VALUE("A value is listed twice."),
  MISSING_FIELD(
      "A definition lacks a field that has no default; nothing is assumed silently.",
      Severity.ERROR,
      ConfigError.MISSING_REQUIRED),
  EMPTY_TEXT("A text that has to say something is empty."),
  UNKNOWN_MEMORY(
      "A policy, an injection or a parent names a memory that the configuration does not define."),
  UNKNOWN_TARGET(
      "An injection goes into something that is neither a memory nor a target of the runtime."),
  UNUSED_INJECTION(
      "An injection goes into a memory. Contexts are composed of what goes into a target of the runtime, such as `context`, so that this one does nothing.",
      Severity.WARNING,
      ConfigError.INVALID_VALUE),
  UNUSED_MODE(
      "The records of a memory are not injected in this mode: they come in full, as if it were not there.",
      Severity.WARNING,
      ConfigError.INCOMPATIBLE_OPTIONS),
  PARENT_CYCLE(
      "Memories are each other's parents.", Severity.ERROR, ConfigError.INCOMPATIBLE_OPTIONS),
  UNKNOWN_FIELD("A filter or an index names a field that the memory does not have."),
  FIELD_TYPE_CONFLICT(
      "A schema gives a field another type than the runtime's record has.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  WRONG_COMPARATOR(
      "Fields of this type cannot be compared like that.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  WRONG_VALUE_TYPE("The value is not of the field's type."),
  UNKNOWN_ENUM_VALUE(
      "The value is not among those of the enumeration, so that the comparison may never hold.",
      Severity.WARNING,
      ConfigError.INVALID_VALUE),
  OUT_OF_RANGE("A number is not whole, too small or too large for its place."),
  INVALID_CRON("A schedule is not the five fields of cron, or names a date that does not exist."),
  PROVIDER_NOT_SUPPORTED(
      "The language has a word for this storage, and the runtime has no such storage.",
      Severity.ERROR,
      ConfigError.PROVIDER_NOT_SUPPORTED),
  INCOMPATIBLE_INDEX(
      "Fields of this type cannot be indexed like that.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_RETENTION(
      "A memory's type and its retention contradict each other.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_LIFECYCLE(
      "A memory is closed by the end of a scope or of a task; nothing else closes one.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_PRUNE(
      "A prune asks for a confidence that the memory's records do not have.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  EMPTY_POLICY(
      "A policy has no rules and does nothing.", Severity.WARNING, ConfigError.MISSING_REQUIRED),

  MISSING_FILE(
      "The pack lacks a file: `cal.toml`, or one that `cal.toml` names.",
      Severity.ERROR,
      ConfigError.MISSING_REQUIRED),
  NOT_TEXT("A file that has to be text in UTF-8 is something else."),
  INVALID_TOML("`cal.toml` is not written as TOML 1.0 wants it."),
  UNKNOWN_KEY("`cal.toml` has a section or a key that packs do not have."),
  MISSING_KEY(
      "A table of `cal.toml` lacks a key that has no default; nothing is assumed silently.",
      Severity.ERROR,
      ConfigError.MISSING_REQUIRED),
  PATH_OUTSIDE_PACK(
      "A path is not one of a file inside the pack: it is absolute, leaves the pack, or is not the same on every system."),
  PROFILE_NOT_ALLOWED(
      "A profile is not one of the states that `settings.matrix.allowed` lists; the values count, not the names.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  PROFILE_OVERRIDDEN(
      "An agent sets what its profile decides, and `enforce_profiles_only` forbids it.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  INCOMPATIBLE_SETTINGS(
      "Two settings of a pack contradict each other.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  BUDGET_EXCEEDED(
      "An injection may take more tokens than any context of the pack has.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  INVALID_CONTRACT("A contract is not a JSON Schema of the draft 2020-12 that stands alone."),
  TOOL_NOT_GRANTED(
      "An agent's prompt calls a tool that none of the agent's toolsets has.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  TOOL_CYCLE(
      "Prompt tools call each other in a circle.",
      Severity.ERROR,
      ConfigError.INCOMPATIBLE_OPTIONS),
  UNUSED_FILE(
      "Nothing in `cal.toml` names a prompt or a contract in `agents` or `tools`.",
      Severity.WARNING,
      ConfigError.INVALID_VALUE),
  INVALID_LOCK("`cal.lock` is not written as its format wants it."),
  LOCK_DRIFT("A file was changed, added or removed since the pack was locked.");

  private final String description;
  private final Severity severity;
  private final ConfigError error;

  DiagnosticCode(String description) {
    this(description, Severity.ERROR, ConfigError.INVALID_VALUE);
  }

  DiagnosticCode(String description, Severity severity, ConfigError error) {
    this.description = description;
    this.severity = severity;
    this.error = error;
  }

  /** What it means, in a sentence or two of Markdown. */
  public String description() {
    return description;
  }

  public Severity severity() {
    return severity;
  }

  /** The form in which callers of the API see it. */
  public ConfigError error() {
    return error;
  }
}
