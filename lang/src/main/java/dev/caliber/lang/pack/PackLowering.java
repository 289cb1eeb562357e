package dev.caliber.lang.pack;

import static dev.caliber.lang.pack.manifest.ProfileSettingKey.requirePresent;

import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.kernel.pack.PackAdapter;
import dev.caliber.kernel.pack.PackAgent;
import dev.caliber.kernel.pack.PackDefaults;
import dev.caliber.kernel.pack.PackFormat;
import dev.caliber.kernel.pack.PackInjection;
import dev.caliber.kernel.pack.PackMetadata;
import dev.caliber.kernel.pack.PackProfile;
import dev.caliber.kernel.pack.PackProvider;
import dev.caliber.kernel.pack.PackRouting;
import dev.caliber.kernel.pack.PackToolset;
import dev.caliber.kernel.pack.SettingsMatrix;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.pack.manifest.ProfileSettingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Turns a pack that passed every check into its records. */
final class PackLowering {
  private final ParsedPack parsedPack;
  private final CompiledConfig config;

  private PackLowering(ParsedPack parsedPack, CompiledConfig config) {
    this.parsedPack = parsedPack;
    this.config = config;
  }

  static Pack lower(ParsedPack parsedPack, CompiledConfig config) {
    return new PackLowering(parsedPack, config).lower();
  }

  private Pack lower() {
    return new Pack(
        meta(),
        defaults(),
        matrix(),
        lowerEach(
            Manifest.PROFILES,
            namedTable ->
                new PackProfile(
                    name(namedTable), ProfileSettingKey.settingsIn(namedTable.table()))),
        adapters(),
        lowerEach(Manifest.FORMATS, PackLowering::format),
        injections(),
        lowerEach(Manifest.PROVIDERS, PackLowering::provider),
        parsedPack.root().findTable(Manifest.ROUTING).map(PackLowering::routing),
        new ToolLowering(parsedPack).lower(),
        lowerEach(Manifest.TOOLSETS, this::toolset),
        lowerEach(Manifest.AGENTS, this::agent),
        config);
  }

  private <T> List<T> lowerEach(String section, Function<ManifestTable.NamedTable, T> record) {
    return parsedPack.section(section).values().stream().map(record).toList();
  }

  private PackMetadata meta() {
    var meta = parsedPack.root().table(Manifest.META);
    return new PackMetadata(text(meta, "version"), text(meta, "project"));
  }

  private PackDefaults defaults() {
    var defaults = parsedPack.defaults();
    return new PackDefaults(
        format(defaults, "context_format"),
        number(defaults, "token_budget"),
        defaults.isTrue("strict_markdown"),
        defaults.isTrue("strict_refs"),
        requirePresent(defaults.enumValue("secrets_mode", PackDefaults.SecretsMode.class)));
  }

  private SettingsMatrix matrix() {
    var rows =
        parsedPack.matrix().tables("allowed").stream()
            .map(
                row ->
                    new SettingsMatrix.AllowedSettings(
                        text(row, "name"), ProfileSettingKey.settingsIn(row)))
            .toList();
    return new SettingsMatrix(rows, parsedPack.matrix().isTrue("enforce_profiles_only"));
  }

  private List<PackAdapter> adapters() {
    return parsedPack.section(Manifest.ADAPTERS).keySet().stream()
        .map(id -> new PackAdapter(Manifest.ADAPTERS + "." + id, AstBuilder.adapterName(id)))
        .toList();
  }

  private static PackFormat format(ManifestTable.NamedTable namedTable) {
    return new PackFormat(
        name(namedTable),
        requirePresent(namedTable.table().enumValue("base", PackFormat.BaseFormat.class)),
        value(namedTable.table(), "header"),
        value(namedTable.table(), "footer"));
  }

  private List<PackInjection> injections() {
    var injections = new ArrayList<PackInjection>();
    for (var namedTable : parsedPack.section(Manifest.INJECTIONS).values()) {
      var type =
          namedTable.table().enumValue("entity_type", PackInjection.InjectionEntityType.class);
      injections.add(new PackInjection(name(namedTable), injections.size(), type));
    }
    return injections;
  }

  private static PackProvider provider(ManifestTable.NamedTable namedTable) {
    var manifestTable = namedTable.table();
    return new PackProvider(
        name(namedTable),
        text(manifestTable, "type"),
        text(manifestTable, "model"),
        value(manifestTable, "endpoint"),
        value(manifestTable, "api_key"));
  }

  private static PackRouting routing(ManifestTable manifestTable) {
    return new PackRouting(
        requirePresent(manifestTable.enumValue("strategy", PackRouting.RoutingStrategy.class)),
        manifestTable.texts("providers").stream().map(PackLowering::provider).toList(),
        manifestTable.text("embedding_provider").map(PackLowering::provider),
        manifestTable.text("summarization_provider").map(PackLowering::provider));
  }

  private static String provider(TextNode reference) {
    return ParsedPack.sectionEntryName(Manifest.PROVIDERS, reference);
  }

  private PackToolset toolset(ManifestTable.NamedTable namedTable) {
    return new PackToolset(name(namedTable), parsedPack.tools(List.of(namedTable)));
  }

  private PackAgent agent(ManifestTable.NamedTable namedTable) {
    var manifestTable = namedTable.table();
    var toolsets = parsedPack.toolsets(manifestTable);
    String prompt = text(manifestTable, "prompt_md");
    return new PackAgent(
        name(namedTable),
        manifestTable.isTrue("enabled"),
        ParsedPack.sectionEntryName(
            Manifest.PROFILES, requirePresent(manifestTable.text("profile"))),
        parsedPack.profileSettings(manifestTable),
        AstBuilder.adapterName(
            ParsedPack.sectionEntryName(
                Manifest.ADAPTERS, requirePresent(manifestTable.text("adapter")))),
        number(
            manifestTable.has("token_budget") ? manifestTable : parsedPack.defaults(),
            "token_budget"),
        toolsets.stream().map(PackLowering::name).distinct().toList(),
        parsedPack.tools(toolsets),
        prompt,
        PromptLowering.lower(
            requirePresent(Optional.ofNullable(parsedPack.prompts().agents().get(prompt)))));
  }

  private static String name(ManifestTable.NamedTable namedTable) {
    return namedTable.name().value();
  }

  private static String format(ManifestTable manifestTable, String key) {
    return ParsedPack.sectionEntryName(Manifest.FORMATS, requirePresent(manifestTable.text(key)));
  }

  static Optional<String> value(ManifestTable manifestTable, String key) {
    return manifestTable.text(key).map(TextNode::value);
  }

  static String text(ManifestTable manifestTable, String key) {
    return requirePresent(value(manifestTable, key));
  }

  private static int number(ManifestTable manifestTable, String key) {
    return requirePresent(manifestTable.number(key)).value().intValueExact();
  }
}
