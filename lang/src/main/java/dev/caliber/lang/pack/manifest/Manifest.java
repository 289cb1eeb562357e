package dev.caliber.lang.pack.manifest;

import static dev.caliber.lang.pack.manifest.ManifestKey.optional;
import static dev.caliber.lang.pack.manifest.ManifestKey.required;

import dev.caliber.kernel.pack.PackDefaults;
import dev.caliber.kernel.pack.PackFormat;
import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.kernel.pack.PackRouting;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.ast.Keywords;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Declares every section and key of {@code cal.toml}. */
public final class Manifest {
  public static final String META = "meta";
  static final String DEFAULTS = "defaults";
  static final String SETTINGS = "settings";
  static final String MATRIX = "matrix";
  public static final String PROFILES = "profiles";
  public static final String ADAPTERS = "adapters";
  public static final String FORMATS = "formats";
  public static final String MEMORIES = "memories";
  public static final String POLICIES = "policies";
  public static final String INJECTIONS = "injections";
  public static final String PROVIDERS = "providers";
  public static final String ROUTING = "routing";
  public static final String TOOLS = "tools";
  public static final String TOOLSETS = "toolsets";
  public static final String AGENTS = "agents";

  private static final ValueShape TRUTH = new ValueShape.BooleanShape();
  private static final ValueShape TOKENS = new ValueShape.IntegerShape(1, PackBounds.TOKENS);
  private static final ValueShape PATH = new ValueShape.TextShape("a path in the pack");
  private static final ValueShape TEXT = new ValueShape.TextShape("a text");
  private static final ValueShape KEEP = choice(ProfileSettings.MemoryLifetime.values());
  private static final ValueShape FINDER = choice(ProfileSettings.MemoryIndexKind.values());
  private static final ValueShape EMBEDDINGS = choice(ProfileSettings.EmbeddingSwitch.values());
  private static final ValueShape FORMAT = reference("a format", "formats.xml");
  private static final ValueShape PROVIDER = reference("a provider", "providers.main");

  private static final ManifestKey KIND =
      required(
          "kind",
          choice(PackTool.ToolKind.values()),
          "The kind of the tool: a program or a prompt.");
  private static final ManifestKey DESCRIPTION =
      optional("description", TEXT, "The purpose of the tool, in words for the model.");
  private static final ManifestKey CONTRACT =
      optional("contract", PATH, "A JSON Schema that each result of the tool has to match.");
  private static final ValueShape MILLIS = new ValueShape.IntegerShape(1, PackBounds.TOOL_MILLIS);
  private static final ValueShape RESULT = choice(PackTool.ResultFormat.values());
  private static final List<ManifestKey> CAPABILITIES =
      List.of(
          optional("allow_network", TRUTH, "Whether the tool may use the network. Default: false."),
          optional("allow_fs", TRUTH, "Whether the tool may use files. Default: false."),
          optional(
              "allow_subprocess", TRUTH, "Whether the tool may start programs. Default: false."));

  /** Shape of the whole file. */
  static final ValueShape.TableShape ROOT =
      ValueShape.TableShape.of(
          required(META, meta(), "Version and name of the pack."),
          required(DEFAULTS, defaults(), "Default values for the agents of the pack."),
          required(
              SETTINGS,
              settings(),
              "The combinations of settings that profiles and agents may have."),
          optional(
              PROFILES,
              named("profile", ValueShape.TableShape.of(profileSettingKeys())),
              "Named combinations of settings."),
          optional(
              ADAPTERS,
              namedTwice("adapter", adapter()),
              "Storages, each in a table adapters.KIND.NAME."),
          optional(
              FORMATS,
              named("format", format()),
              "Formats of contexts, in addition to the built-in xml, json and markdown."),
          optional(
              MEMORIES,
              named("memory", memory()),
              "The memories of the agents: named sets of records."),
          optional(
              POLICIES,
              named("policy", policy()),
              "Policies: rules that run actions when a trigger occurs, in the order of the file."),
          optional(
              INJECTIONS,
              named("injection", injection()),
              "Injections: which memories go into contexts, and how."),
          optional(
              PROVIDERS,
              named("provider", provider()),
              "Providers of the models that the pack may use."),
          optional(ROUTING, routing(), "The rule by which the provider of a request is chosen."),
          optional(TOOLS, namedTwice("tool", tool()), "Tools, each in a table tools.GROUP.NAME."),
          optional(
              TOOLSETS,
              named("toolset", toolset()),
              "Named groups of tools, which are assigned to agents."),
          optional(AGENTS, named("agent", agent()), "The agents of the pack."));

  private Manifest() {}

  /** Returns whether the tables of a section must have a key. */
  public static boolean isRequired(String section, String key) {
    return ROOT.keys().stream()
        .filter(known -> known.name().equals(section))
        .flatMap(known -> keys(known.shape()))
        .anyMatch(known -> known.required() && known.name().equals(key));
  }

  private static Stream<ManifestKey> keys(ValueShape valueShape) {
    return switch (valueShape) {
      case ValueShape.NamedEntriesShape(_, var value) -> keys(value);
      case ValueShape.TableShape(var keys) -> keys.stream();
      default -> Stream.empty();
    };
  }

  private static ValueShape meta() {
    return ValueShape.TableShape.of(
        required("version", TEXT, "The version of the pack, as shown to users."),
        required("project", TEXT, "The name of the pack."));
  }

  private static ValueShape defaults() {
    return ValueShape.TableShape.of(
        required("context_format", FORMAT, "The default format of an agent's context."),
        required(
            "token_budget",
            TOKENS,
            "The default token budget of an agent's context: its largest number of tokens."),
        required(
            "strict_markdown", TRUTH, "Whether each prompt must have the prescribed headings."),
        required(
            "strict_refs",
            TRUTH,
            "Whether values in the fenced blocks of prompts must be references such as ${INPUT:name}."),
        required(
            "secrets_mode",
            choice(PackDefaults.SecretsMode.values()),
            "The source of secrets; the only source is the environment."));
  }

  private static ValueShape settings() {
    var name = required("name", TEXT, "The name of this combination of settings.");
    var row =
        new ValueShape.TableShape(
            Stream.concat(Stream.of(name), Stream.of(profileSettingKeys())).toList());
    return ValueShape.TableShape.of(
        required(
            MATRIX,
            ValueShape.TableShape.of(
                required(
                    "allowed",
                    new ValueShape.ListShape(row, true),
                    "The list of allowed combinations."),
                required(
                    "enforce_profiles_only",
                    TRUTH,
                    "Whether agents are forbidden to override the settings of their profile.")),
            "The combinations of settings that profiles and agents may have."));
  }

  private static ManifestKey[] profileSettingKeys() {
    return new ManifestKey[] {
      required("retention", KEEP, "How long the records of memories are kept."),
      required("index", FINDER, "The kind of index by which memories are searched."),
      required(
          "embeddings",
          EMBEDDINGS,
          "Whether texts are embedded as vectors, so that they are found by meaning."),
      required("format", FORMAT, "The format in which contexts are written.")
    };
  }

  private static ValueShape adapter() {
    return ValueShape.TableShape.of(
        required(
            "type",
            new ValueShape.ChoiceShape(Keywords.ADAPTER_TYPES),
            "The type of the storage; it has to equal KIND in the name of the table."),
        required(
            "connection",
            TEXT,
            "The address of the storage. A secret in the address is written as ${ENV:NAME}."),
        optional("options", new ValueShape.FreeTableShape(), "Further options of the storage."));
  }

  private static ValueShape format() {
    return ValueShape.TableShape.of(
        required(
            "base",
            choice(PackFormat.BaseFormat.values()),
            "The built-in format that this format extends."),
        optional("header", TEXT, "A text before the context."),
        optional("footer", TEXT, "A text after the context."));
  }

  private static ValueShape memory() {
    return ValueShape.TableShape.of(
        required(
            "type", new ValueShape.ChoiceShape(Keywords.MEMORY_TYPES), "The type of the memory."),
        required(
            "schema",
            named(
                "field",
                new ValueShape.TextShape("a type such as text, int or enum(\"a\", \"b\")")),
            "The fields of the memory's records, each with its type."),
        required(
            "retention",
            new ValueShape.TextShape("a retention such as persistent, 30d or max(100)"),
            "How long the records of the memory are kept."),
        optional(
            "index",
            named("field", new ValueShape.ChoiceShape(Keywords.INDEX_TYPES)),
            "The fields that are indexed, each with its kind of index."),
        optional(
            "lifecycle",
            new ValueShape.TextShape("explicit or auto_close(trigger)"),
            "When the memory is closed: only by a call, or automatically by a trigger."),
        optional(
            "artifacts",
            new ValueShape.ListShape(TEXT, true),
            "The types of the artifacts that the memory holds."),
        optional(
            "parent",
            new ValueShape.TextShape("the name of a memory"),
            "The memory to which this memory belongs."),
        optional(
            "inject_on",
            new ValueShape.ListShape(trigger(), true),
            "The triggers at which the memory is injected into a context."));
  }

  private static ValueShape trigger() {
    return new ValueShape.TextShape("a trigger such as turn or schedule(\"0 3 * * *\")");
  }

  private static ValueShape policy() {
    var rule =
        ValueShape.TableShape.of(
            required("on", trigger(), "The trigger at which the actions run."),
            required(
                "actions",
                new ValueShape.ListShape(
                    new ValueShape.TextShape("an action such as summarize(scope)"), true),
                "The actions that run at the trigger, in the order of the list."));
    return ValueShape.TableShape.of(
        required(
            "rules",
            new ValueShape.ListShape(rule, true),
            "The rules of the policy: each names a trigger and the actions that run when it occurs."));
  }

  private static ValueShape injection() {
    return ValueShape.TableShape.of(
        required(
            "memory",
            new ValueShape.TextShape("the name of a memory"),
            "The memory whose records are injected."),
        required(
            "target",
            new ValueShape.TextShape("a target such as context"),
            "The target into which the records are injected."),
        required(
            "mode",
            new ValueShape.TextShape("a mode such as full or top_k(5)"),
            "The rule by which the records are chosen."),
        required(
            "priority",
            new ValueShape.IntegerShape(0, Integer.MAX_VALUE),
            "The priority of the injection; injections with a higher priority are placed first."),
        required(
            "max_tokens",
            TOKENS,
            "The largest number of tokens that the injected records may use."),
        optional(
            "filter",
            new ValueShape.TextShape("a filter such as confidence >= 0.5"),
            "A filter for the records that are injected. Default: all records of the memory."),
        optional(
            "entity_type",
            choice(PackInjection.InjectionEntityType.values()),
            "The type of the records that are injected, such as note or turn."));
  }

  private static ValueShape provider() {
    return ValueShape.TableShape.of(
        required("type", TEXT, "The API that the provider offers, such as openai."),
        required("model", TEXT, "The name of the model at the provider."),
        optional(
            "endpoint",
            TEXT,
            "The address of the provider, if it is not the provider's usual address."),
        optional(
            "api_key",
            new ValueShape.TextShape("a reference ${ENV:NAME}"),
            "The API key of the provider."));
  }

  private static ValueShape routing() {
    return ValueShape.TableShape.of(
        required(
            "strategy",
            choice(PackRouting.RoutingStrategy.values()),
            "The rule by which the provider of a request is chosen."),
        optional(
            "providers",
            new ValueShape.ListShape(PROVIDER, true),
            "The providers to choose from, the preferred one first."),
        optional("embedding_provider", PROVIDER, "The provider that embeds texts."),
        optional("summarization_provider", PROVIDER, "The provider that writes summaries."));
  }

  private static ValueShape tool() {
    var exec =
        keys(
            required("cmd", PATH, "The program that the tool starts."),
            required(
                "timeout_ms", MILLIS, "The time limit of a call of the tool, in milliseconds."),
            optional("result_format", RESULT, "The format of the tool's result."));
    var prompt =
        keys(
            required("prompt_md", PATH, "The prompt that the tool sends to a model."),
            required("result_format", RESULT, "The format of the tool's result."),
            optional(
                "timeout_ms", MILLIS, "The time limit of a call of the tool, in milliseconds."));
    return new ValueShape.VariantTableShape(KIND, Map.of("exec", exec, "prompt", prompt));
  }

  private static ValueShape.TableShape keys(ManifestKey... own) {
    return new ValueShape.TableShape(
        Stream.of(Stream.of(own), Stream.of(DESCRIPTION, CONTRACT), CAPABILITIES.stream())
            .flatMap(keys -> keys)
            .toList());
  }

  private static ValueShape toolset() {
    return ValueShape.TableShape.of(
        required(
            "tools",
            new ValueShape.ListShape(reference("a tool", "tools.bin.fetch_url"), false),
            "The ids of the tools in this group."));
  }

  private static ValueShape agent() {
    return ValueShape.TableShape.of(
        required("enabled", TRUTH, "Whether the agent is active."),
        required(
            "profile",
            reference("a profile", "prod_small"),
            "The profile that gives the agent its settings."),
        required(
            "adapter",
            reference("an adapter", "adapters.sqlite.main"),
            "The storage of the agent."),
        required("prompt_md", PATH, "The file with the prompt of the agent."),
        required(
            "toolsets",
            new ValueShape.ListShape(reference("a toolset", "toolsets.core"), false),
            "The groups of tools that the agent may call."),
        optional(
            "format",
            FORMAT,
            "The format of the agent's context. Default: the format of its profile."),
        optional(
            "token_budget",
            TOKENS,
            "The token budget of the agent's context. Default: token_budget in defaults."),
        optional(
            "retention",
            KEEP,
            "The agent's own value in place of the value of its profile, if overriding is allowed."),
        optional(
            "index",
            FINDER,
            "The agent's own value in place of the value of its profile, if overriding is allowed."),
        optional(
            "embeddings",
            EMBEDDINGS,
            "The agent's own value in place of the value of its profile, if overriding is allowed."));
  }

  private static ValueShape reference(String what, String example) {
    return new ValueShape.TextShape(what + " such as " + example);
  }

  private static ValueShape named(String what, ValueShape value) {
    return new ValueShape.NamedEntriesShape(what, value);
  }

  private static ValueShape namedTwice(String what, ValueShape value) {
    return named("kind of " + what, named(what, value));
  }

  private static ValueShape choice(Enum<?>[] constants) {
    return new ValueShape.ChoiceShape(Stream.of(constants).map(Keywords::word).toList());
  }
}
