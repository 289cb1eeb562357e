package dev.caliber.lang.pack;

import static dev.caliber.lang.pack.Key.optional;
import static dev.caliber.lang.pack.Key.required;

import dev.caliber.kernel.pack.Knobs;
import dev.caliber.kernel.pack.PackDefaults;
import dev.caliber.kernel.pack.PackFormat;
import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.kernel.pack.PackRouting;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.lang.syntax.Keywords;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Every section and key of {@code cal.toml}: the one place where they are declared. */
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

  private static final Shape TRUTH = new Shape.Truth();
  private static final Shape TOKENS = new Shape.Whole(1, PackBounds.TOKENS);
  private static final Shape PATH = new Shape.Line("a path in the pack");
  private static final Shape TEXT = new Shape.Line("a text");
  private static final Shape KEEP = choice(Knobs.Keep.values());
  private static final Shape FINDER = choice(Knobs.Finder.values());
  private static final Shape EMBEDDINGS = choice(Knobs.Embeddings.values());
  private static final Shape FORMAT = reference("a format", "formats.xml");
  private static final Shape PROVIDER = reference("a provider", "providers.main");

  private static final Key KIND =
      required("kind", choice(PackTool.Kind.values()), "What does the work.");
  private static final Key DESCRIPTION =
      optional("description", TEXT, "What the tool is for, as models read it.");
  private static final Key CONTRACT =
      optional("contract", PATH, "A JSON Schema that results have to follow.");
  private static final Shape MILLIS = new Shape.Whole(1, PackBounds.TOOL_MILLIS);
  private static final Shape RESULT = choice(PackTool.ResultFormat.values());
  private static final List<Key> CAPABILITIES =
      List.of(
          optional("allow_network", TRUTH, "Whether it may use the network; absent means no."),
          optional("allow_fs", TRUTH, "Whether it may use files; absent means no."),
          optional("allow_subprocess", TRUTH, "Whether it may start programs; absent means no."));

  /** The whole file. */
  static final Shape.Group ROOT =
      Shape.Group.of(
          required(META, meta(), "What the pack is."),
          required(DEFAULTS, defaults(), "What holds where an agent does not say otherwise."),
          required(SETTINGS, settings(), "Which settings go together."),
          optional(PROFILES, named("profile", Shape.Group.of(knobs())), "Names for settings."),
          optional(ADAPTERS, twice("adapter", adapter()), "Storages, as adapters.kind.name."),
          optional(FORMATS, named("format", format()), "Formats beside xml, json and markdown."),
          optional(MEMORIES, named("memory", memory()), "What is remembered."),
          optional(POLICIES, named("policy", policy()), "What happens when, in this order."),
          optional(INJECTIONS, named("injection", injection()), "What goes into a context."),
          optional(PROVIDERS, named("provider", provider()), "Models that the pack may use."),
          optional(ROUTING, routing(), "Which provider is asked."),
          optional(TOOLS, twice("tool", tool()), "The registry of tools, as tools.group.name."),
          optional(TOOLSETS, named("toolset", toolset()), "Tools that are given together."),
          optional(AGENTS, named("agent", agent()), "The agents."));

  private Manifest() {}

  /** Whether the tables of a section have to have a key. */
  static boolean isRequired(String section, String key) {
    return ROOT.keys().stream()
        .filter(known -> known.name().equals(section))
        .flatMap(known -> keys(known.shape()))
        .anyMatch(known -> known.required() && known.name().equals(key));
  }

  private static Stream<Key> keys(Shape shape) {
    return switch (shape) {
      case Shape.Named(_, var value) -> keys(value);
      case Shape.Group(var keys) -> keys.stream();
      default -> Stream.empty();
    };
  }

  private static Shape meta() {
    return Shape.Group.of(
        required("version", TEXT, "The version of the pack, for people."),
        required("project", TEXT, "What the pack is called."));
  }

  private static Shape defaults() {
    return Shape.Group.of(
        required("context_format", FORMAT, "The format of contexts."),
        required("token_budget", TOKENS, "Tokens of a context."),
        required("strict_markdown", TRUTH, "Whether prompts keep to the contract of headings."),
        required("strict_refs", TRUTH, "Whether blocks of prompts hold references only."),
        required(
            "secrets_mode",
            choice(PackDefaults.SecretsMode.values()),
            "Where secrets come from; only the environment."));
  }

  private static Shape settings() {
    var name = required("name", TEXT, "What people call the row.");
    var row = new Shape.Group(Stream.concat(Stream.of(name), Stream.of(knobs())).toList());
    return Shape.Group.of(
        required(
            MATRIX,
            Shape.Group.of(
                required("allowed", new Shape.Many(row, true), "The states that are allowed."),
                required(
                    "enforce_profiles_only",
                    TRUTH,
                    "Whether agents may not leave the settings of their profile.")),
            "The valid states of the settings."));
  }

  private static Key[] knobs() {
    return new Key[] {
      required("retention", KEEP, "How long memories stay."),
      required("index", FINDER, "How memories are found."),
      required("embeddings", EMBEDDINGS, "Whether texts are embedded."),
      required("format", FORMAT, "How contexts are written.")
    };
  }

  private static Shape adapter() {
    return Shape.Group.of(
        required("type", new Shape.Choice(Keywords.ADAPTER_TYPES), "The storage; also the kind."),
        required("connection", TEXT, "Its address; a secret is a reference ${ENV:NAME}."),
        optional("options", new Shape.Free(), "What else the storage wants to know."));
  }

  private static Shape format() {
    return Shape.Group.of(
        required("base", choice(PackFormat.Base.values()), "The built-in format it extends."),
        optional("header", TEXT, "A text before the context."),
        optional("footer", TEXT, "A text after the context."));
  }

  private static Shape memory() {
    return Shape.Group.of(
        required("type", new Shape.Choice(Keywords.MEMORY_TYPES), "The type of the memory."),
        required(
            "schema",
            named("field", new Shape.Line("a type such as text, int or enum(\"a\", \"b\")")),
            "The fields of its records."),
        required(
            "retention",
            new Shape.Line("a retention such as persistent, 30d or max(100)"),
            "How long records stay."),
        optional(
            "index",
            named("field", new Shape.Choice(Keywords.INDEX_TYPES)),
            "Which fields are indexed, and how."),
        optional(
            "lifecycle", new Shape.Line("explicit or auto_close(trigger)"), "How it is closed."),
        optional("artifacts", new Shape.Many(TEXT, true), "The types of its artifacts."),
        optional("parent", new Shape.Line("the name of a memory"), "The memory it belongs to."),
        optional("inject_on", new Shape.Many(trigger(), true), "When it is injected."));
  }

  private static Shape trigger() {
    return new Shape.Line("a trigger such as turn or schedule(\"0 3 * * *\")");
  }

  private static Shape policy() {
    var rule =
        Shape.Group.of(
            required("on", trigger(), "What sets it off."),
            required(
                "actions",
                new Shape.Many(new Shape.Line("an action such as summarize(scope)"), true),
                "What is done, in this order."));
    return Shape.Group.of(
        required("rules", new Shape.Many(rule, true), "When what is done, in this order."));
  }

  private static Shape injection() {
    return Shape.Group.of(
        required("memory", new Shape.Line("the name of a memory"), "Whose records."),
        required("target", new Shape.Line("a target such as context"), "Where they go."),
        required("mode", new Shape.Line("a mode such as full or top_k(5)"), "How much of them."),
        required("priority", new Shape.Whole(0, Integer.MAX_VALUE), "The higher one goes first."),
        required("max_tokens", TOKENS, "Tokens that it may take."),
        optional("filter", new Shape.Line("a filter such as confidence >= 0.5"), "Which of them."),
        optional("entity_type", choice(PackInjection.EntityType.values()), "What they are."));
  }

  private static Shape provider() {
    return Shape.Group.of(
        required("type", TEXT, "The interface that it speaks, such as openai."),
        required("model", TEXT, "The model to ask for."),
        optional("endpoint", TEXT, "Its address, where it is not the usual one."),
        optional("api_key", new Shape.Line("a reference ${ENV:NAME}"), "Its key."));
  }

  private static Shape routing() {
    return Shape.Group.of(
        required("strategy", choice(PackRouting.Strategy.values()), "How a provider is chosen."),
        optional("providers", new Shape.Many(PROVIDER, true), "To choose from, best one first."),
        optional("embedding_provider", PROVIDER, "Who embeds texts."),
        optional("summarization_provider", PROVIDER, "Who writes summaries."));
  }

  private static Shape tool() {
    var exec =
        keys(
            required("cmd", PATH, "The program."),
            required("timeout_ms", MILLIS, "Milliseconds until it is stopped."),
            optional("result_format", RESULT, "What its result is written in."));
    var prompt =
        keys(
            required("prompt_md", PATH, "The prompt."),
            required("result_format", RESULT, "What its result is written in."),
            optional("timeout_ms", MILLIS, "Milliseconds until it is given up."));
    return new Shape.Cases(KIND, Map.of("exec", exec, "prompt", prompt));
  }

  private static Shape.Group keys(Key... own) {
    return new Shape.Group(
        Stream.of(Stream.of(own), Stream.of(DESCRIPTION, CONTRACT), CAPABILITIES.stream())
            .flatMap(keys -> keys)
            .toList());
  }

  private static Shape toolset() {
    return Shape.Group.of(
        required(
            "tools",
            new Shape.Many(reference("a tool", "tools.bin.fetch_url"), false),
            "The ids of its tools."));
  }

  private static Shape agent() {
    return Shape.Group.of(
        required("enabled", TRUTH, "Whether it runs."),
        required("profile", reference("a profile", "prod_small"), "Its settings."),
        required("adapter", reference("an adapter", "adapters.sqlite.main"), "Its storage."),
        required("prompt_md", PATH, "Its prompt."),
        required(
            "toolsets",
            new Shape.Many(reference("a toolset", "toolsets.core"), false),
            "What it may call."),
        optional("format", FORMAT, "How its context is written; that of its profile."),
        optional("token_budget", TOKENS, "Tokens of its context; else those of defaults."),
        optional("retention", KEEP, "Instead of the profile's, where that is allowed."),
        optional("index", FINDER, "Instead of the profile's, where that is allowed."),
        optional("embeddings", EMBEDDINGS, "Instead of the profile's, where that is allowed."));
  }

  private static Shape reference(String what, String example) {
    return new Shape.Line(what + " such as " + example);
  }

  private static Shape named(String what, Shape value) {
    return new Shape.Named(what, value);
  }

  private static Shape twice(String what, Shape value) {
    return named("kind of " + what, named(what, value));
  }

  private static Shape choice(Enum<?>[] constants) {
    return new Shape.Choice(Stream.of(constants).map(Keywords::word).toList());
  }
}
