package dev.caliber.lang.pack;

import static dev.caliber.lang.pack.ManifestKey.optional;
import static dev.caliber.lang.pack.ManifestKey.required;

import dev.caliber.kernel.pack.PackDefaults;
import dev.caliber.kernel.pack.PackFormat;
import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.kernel.pack.PackRouting;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.syntax.Keywords;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Declares every section and key of {@code cal.toml}. */
final class Manifest {
  static final String META = "meta";
  static final String DEFAULTS = "defaults";
  static final String SETTINGS = "settings";
  static final String MATRIX = "matrix";
  static final String PROFILES = "profiles";
  static final String ADAPTERS = "adapters";
  static final String FORMATS = "formats";
  static final String MEMORIES = "memories";
  static final String POLICIES = "policies";
  static final String INJECTIONS = "injections";
  static final String PROVIDERS = "providers";
  static final String ROUTING = "routing";
  static final String TOOLS = "tools";
  static final String TOOLSETS = "toolsets";
  static final String AGENTS = "agents";

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
      required("kind", choice(PackTool.ToolKind.values()), "How the tool works.");
  private static final ManifestKey DESCRIPTION =
      optional("description", TEXT, "What the tool is for, as models read it.");
  private static final ManifestKey CONTRACT =
      optional("contract", PATH, "A JSON Schema that results have to match.");
  private static final ValueShape MILLIS = new ValueShape.IntegerShape(1, PackBounds.TOOL_MILLIS);
  private static final ValueShape RESULT = choice(PackTool.ResultFormat.values());
  private static final List<ManifestKey> CAPABILITIES =
      List.of(
          optional("allow_network", TRUTH, "Whether it may use the network; absent means no."),
          optional("allow_fs", TRUTH, "Whether it may use files; absent means no."),
          optional("allow_subprocess", TRUTH, "Whether it may start programs; absent means no."));

  /** Shape of the whole file. */
  static final ValueShape.TableShape ROOT =
      ValueShape.TableShape.of(
          required(META, meta(), "Version and name of the pack."),
          required(DEFAULTS, defaults(), "Defaults for agents."),
          required(SETTINGS, settings(), "The allowed combinations of settings."),
          optional(
              PROFILES,
              named("profile", ValueShape.TableShape.of(profileSettingKeys())),
              "Named combinations of settings."),
          optional(ADAPTERS, namedTwice("adapter", adapter()), "Storages, as adapters.kind.name."),
          optional(
              FORMATS, named("format", format()), "Formats in addition to xml, json and markdown."),
          optional(MEMORIES, named("memory", memory()), "The memories that agents have."),
          optional(
              POLICIES,
              named("policy", policy()),
              "Policies: actions and their triggers, run in the order of the file."),
          optional(
              INJECTIONS, named("injection", injection()), "The memories that go into contexts."),
          optional(PROVIDERS, named("provider", provider()), "Models that the pack may use."),
          optional(ROUTING, routing(), "How a provider is chosen."),
          optional(
              TOOLS, namedTwice("tool", tool()), "The registry of tools, as tools.group.name."),
          optional(TOOLSETS, named("toolset", toolset()), "Named groups of tools."),
          optional(AGENTS, named("agent", agent()), "The agents."));

  private Manifest() {}

  /** Returns whether the tables of a section must have a key. */
  static boolean isRequired(String section, String key) {
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
        required("version", TEXT, "The version of the pack, for people."),
        required("project", TEXT, "The name of the pack."));
  }

  private static ValueShape defaults() {
    return ValueShape.TableShape.of(
        required("context_format", FORMAT, "The format of contexts."),
        required("token_budget", TOKENS, "Tokens of a context."),
        required("strict_markdown", TRUTH, "Whether prompts must follow the contract of headings."),
        required("strict_refs", TRUTH, "Whether blocks of prompts contain references only."),
        required(
            "secrets_mode",
            choice(PackDefaults.SecretsMode.values()),
            "The source of secrets; only the environment."));
  }

  private static ValueShape settings() {
    var name = required("name", TEXT, "The name of the row.");
    var row =
        new ValueShape.TableShape(
            Stream.concat(Stream.of(name), Stream.of(profileSettingKeys())).toList());
    return ValueShape.TableShape.of(
        required(
            MATRIX,
            ValueShape.TableShape.of(
                required(
                    "allowed", new ValueShape.ListShape(row, true), "The allowed combinations."),
                required(
                    "enforce_profiles_only",
                    TRUTH,
                    "Whether agents may not override their profile's settings.")),
            "The allowed combinations of settings."));
  }

  private static ManifestKey[] profileSettingKeys() {
    return new ManifestKey[] {
      required("retention", KEEP, "How long memories are kept."),
      required("index", FINDER, "How memories are found."),
      required("embeddings", EMBEDDINGS, "Whether texts are embedded."),
      required("format", FORMAT, "How contexts are written.")
    };
  }

  private static ValueShape adapter() {
    return ValueShape.TableShape.of(
        required(
            "type",
            new ValueShape.ChoiceShape(Keywords.ADAPTER_TYPES),
            "The storage; also the kind."),
        required("connection", TEXT, "Its address; a secret is a reference ${ENV:NAME}."),
        optional("options", new ValueShape.FreeTableShape(), "Further options of the storage."));
  }

  private static ValueShape format() {
    return ValueShape.TableShape.of(
        required("base", choice(PackFormat.BaseFormat.values()), "The built-in format it extends."),
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
            "The fields of its records."),
        required(
            "retention",
            new ValueShape.TextShape("a retention such as persistent, 30d or max(100)"),
            "How long records are kept."),
        optional(
            "index",
            named("field", new ValueShape.ChoiceShape(Keywords.INDEX_TYPES)),
            "The indexed fields, and their kinds of index."),
        optional(
            "lifecycle",
            new ValueShape.TextShape("explicit or auto_close(trigger)"),
            "How it is closed."),
        optional("artifacts", new ValueShape.ListShape(TEXT, true), "The types of its artifacts."),
        optional(
            "parent",
            new ValueShape.TextShape("the name of a memory"),
            "The memory it belongs to."),
        optional(
            "inject_on",
            new ValueShape.ListShape(trigger(), true),
            "The triggers of its injection."));
  }

  private static ValueShape trigger() {
    return new ValueShape.TextShape("a trigger such as turn or schedule(\"0 3 * * *\")");
  }

  private static ValueShape policy() {
    var rule =
        ValueShape.TableShape.of(
            required("on", trigger(), "The trigger."),
            required(
                "actions",
                new ValueShape.ListShape(
                    new ValueShape.TextShape("an action such as summarize(scope)"), true),
                "The actions, in this order."));
    return ValueShape.TableShape.of(
        required(
            "rules",
            new ValueShape.ListShape(rule, true),
            "Triggers and their actions, in this order."));
  }

  private static ValueShape injection() {
    return ValueShape.TableShape.of(
        required(
            "memory",
            new ValueShape.TextShape("the name of a memory"),
            "The memory with the records."),
        required(
            "target",
            new ValueShape.TextShape("a target such as context"),
            "The target of the records."),
        required(
            "mode",
            new ValueShape.TextShape("a mode such as full or top_k(5)"),
            "The mode of injection."),
        required(
            "priority",
            new ValueShape.IntegerShape(0, Integer.MAX_VALUE),
            "Higher priorities are placed first."),
        required("max_tokens", TOKENS, "The most tokens that it may use."),
        optional(
            "filter",
            new ValueShape.TextShape("a filter such as confidence >= 0.5"),
            "The records to inject."),
        optional(
            "entity_type",
            choice(PackInjection.InjectionEntityType.values()),
            "The type of the records."));
  }

  private static ValueShape provider() {
    return ValueShape.TableShape.of(
        required("type", TEXT, "The interface of the provider, such as openai."),
        required("model", TEXT, "The name of the model."),
        optional("endpoint", TEXT, "Its address, if it is not the usual one."),
        optional("api_key", new ValueShape.TextShape("a reference ${ENV:NAME}"), "Its key."));
  }

  private static ValueShape routing() {
    return ValueShape.TableShape.of(
        required(
            "strategy", choice(PackRouting.RoutingStrategy.values()), "How a provider is chosen."),
        optional(
            "providers",
            new ValueShape.ListShape(PROVIDER, true),
            "The providers to choose from, best one first."),
        optional("embedding_provider", PROVIDER, "The provider that embeds texts."),
        optional("summarization_provider", PROVIDER, "The provider that writes summaries."));
  }

  private static ValueShape tool() {
    var exec =
        keys(
            required("cmd", PATH, "The program."),
            required("timeout_ms", MILLIS, "Time limit in milliseconds."),
            optional("result_format", RESULT, "The format of its result."));
    var prompt =
        keys(
            required("prompt_md", PATH, "The prompt."),
            required("result_format", RESULT, "The format of its result."),
            optional("timeout_ms", MILLIS, "Time limit in milliseconds."));
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
            "The ids of its tools."));
  }

  private static ValueShape agent() {
    return ValueShape.TableShape.of(
        required("enabled", TRUTH, "Whether the agent is active."),
        required("profile", reference("a profile", "prod_small"), "Its settings."),
        required("adapter", reference("an adapter", "adapters.sqlite.main"), "Its storage."),
        required("prompt_md", PATH, "Its prompt."),
        required(
            "toolsets",
            new ValueShape.ListShape(reference("a toolset", "toolsets.core"), false),
            "The tools that it may call."),
        optional("format", FORMAT, "The format of its context. Default: that of its profile."),
        optional(
            "token_budget",
            TOKENS,
            "The token budget of its context. Default: that of the defaults."),
        optional("retention", KEEP, "Overrides the profile's setting, if that is allowed."),
        optional("index", FINDER, "Overrides the profile's setting, if that is allowed."),
        optional("embeddings", EMBEDDINGS, "Overrides the profile's setting, if that is allowed."));
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
