package dev.caliber.lang.pack;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.pack.Knobs;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.kernel.pack.PackAdapter;
import dev.caliber.kernel.pack.PackAgent;
import dev.caliber.kernel.pack.PackDefaults;
import dev.caliber.kernel.pack.PackFormat;
import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.kernel.pack.PackMeta;
import dev.caliber.kernel.pack.PackProfile;
import dev.caliber.kernel.pack.PackProvider;
import dev.caliber.kernel.pack.PackRouting;
import dev.caliber.kernel.pack.PackToolset;
import dev.caliber.kernel.pack.SettingsMatrix;
import dev.caliber.lang.syntax.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Turns a pack that passed every check into its records. */
final class PackLowering {
  private final Document document;
  private final CompiledConfig config;

  private PackLowering(Document document, CompiledConfig config) {
    this.document = document;
    this.config = config;
  }

  static Pack lower(Document document, CompiledConfig config) {
    return new PackLowering(document, config).lower();
  }

  private Pack lower() {
    return new Pack(
        meta(),
        defaults(),
        matrix(),
        each(Manifest.PROFILES, entry -> new PackProfile(name(entry), knobs(entry.table()))),
        adapters(),
        each(Manifest.FORMATS, PackLowering::format),
        injections(),
        each(Manifest.PROVIDERS, PackLowering::provider),
        document.root().find(Manifest.ROUTING).map(PackLowering::routing),
        new ToolLowering(document).lower(),
        each(Manifest.TOOLSETS, this::toolset),
        each(Manifest.AGENTS, this::agent),
        config);
  }

  private <T> List<T> each(String section, Function<Table.Entry, T> record) {
    return document.section(section).values().stream().map(record).toList();
  }

  private PackMeta meta() {
    var meta = document.root().table(Manifest.META);
    return new PackMeta(text(meta, "version"), text(meta, "project"));
  }

  private PackDefaults defaults() {
    var defaults = document.defaults();
    return new PackDefaults(
        format(defaults, "context_format"),
        number(defaults, "token_budget"),
        defaults.is("strict_markdown"),
        defaults.is("strict_refs"),
        have(defaults.word("secrets_mode", PackDefaults.SecretsMode.class)));
  }

  private SettingsMatrix matrix() {
    var rows =
        document.matrix().tables("allowed").stream()
            .map(row -> new SettingsMatrix.Row(text(row, "name"), knobs(row)))
            .toList();
    return new SettingsMatrix(rows, document.matrix().is("enforce_profiles_only"));
  }

  /** The state that a row, a profile or an agent says. */
  static Knobs knobs(Table table) {
    return new Knobs(
        have(table.word("retention", Knobs.Keep.class)),
        have(table.word("index", Knobs.Finder.class)),
        have(table.word("embeddings", Knobs.Embeddings.class)),
        format(table, "format"));
  }

  private List<PackAdapter> adapters() {
    return document.section(Manifest.ADAPTERS).keySet().stream()
        .map(id -> new PackAdapter(Manifest.ADAPTERS + "." + id, AstBuilder.adapterName(id)))
        .toList();
  }

  private static PackFormat format(Table.Entry entry) {
    return new PackFormat(
        name(entry),
        have(entry.table().word("base", PackFormat.Base.class)),
        value(entry.table(), "header"),
        value(entry.table(), "footer"));
  }

  private List<PackInjection> injections() {
    var injections = new ArrayList<PackInjection>();
    for (var entry : document.section(Manifest.INJECTIONS).values()) {
      var type = entry.table().word("entity_type", PackInjection.EntityType.class);
      injections.add(new PackInjection(name(entry), injections.size(), type));
    }
    return injections;
  }

  private static PackProvider provider(Table.Entry entry) {
    var table = entry.table();
    return new PackProvider(
        name(entry),
        text(table, "type"),
        text(table, "model"),
        value(table, "endpoint"),
        value(table, "api_key"));
  }

  private static PackRouting routing(Table table) {
    return new PackRouting(
        have(table.word("strategy", PackRouting.Strategy.class)),
        table.texts("providers").stream().map(PackLowering::provider).toList(),
        table.text("embedding_provider").map(PackLowering::provider),
        table.text("summarization_provider").map(PackLowering::provider));
  }

  private static String provider(Text reference) {
    return Document.name(Manifest.PROVIDERS, reference);
  }

  private PackToolset toolset(Table.Entry entry) {
    return new PackToolset(name(entry), document.tools(List.of(entry)));
  }

  private PackAgent agent(Table.Entry entry) {
    var table = entry.table();
    var toolsets = document.toolsets(table);
    String prompt = text(table, "prompt_md");
    return new PackAgent(
        name(entry),
        table.is("enabled"),
        Document.name(Manifest.PROFILES, have(table.text("profile"))),
        document.knobs(table),
        AstBuilder.adapterName(Document.name(Manifest.ADAPTERS, have(table.text("adapter")))),
        number(table.has("token_budget") ? table : document.defaults(), "token_budget"),
        toolsets.stream().map(PackLowering::name).distinct().toList(),
        document.tools(toolsets),
        prompt,
        PromptLowering.lower(have(Optional.ofNullable(document.prompts().agents().get(prompt)))));
  }

  private static String name(Table.Entry entry) {
    return entry.name().value();
  }

  private static String format(Table table, String key) {
    return Document.name(Manifest.FORMATS, have(table.text(key)));
  }

  static Optional<String> value(Table table, String key) {
    return table.text(key).map(Text::value);
  }

  static String text(Table table, String key) {
    return have(value(table, key));
  }

  private static int number(Table table, String key) {
    return have(table.number(key)).value().intValueExact();
  }

  static <T> T have(Optional<T> value) {
    return value.orElseThrow(() -> new IllegalStateException("wanted a checked pack, found none"));
  }
}
