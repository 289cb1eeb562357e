package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.pack.ProfileSettings;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.TextNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pack as the rules read it: the conforming part of {@code cal.toml}, the files, and the prompts.
 *
 * @param damagedSections the sections of which some could not be read
 */
public record ParsedPack(
    ManifestTable root,
    PackSource source,
    Set<String> damagedSections,
    Map<String, Map<String, ManifestTable.NamedTable>> sections,
    PromptFiles prompts) {
  private static final List<String> FLAT =
      List.of(
          Manifest.PROFILES,
          Manifest.FORMATS,
          Manifest.MEMORIES,
          Manifest.POLICIES,
          Manifest.INJECTIONS,
          Manifest.PROVIDERS,
          Manifest.TOOLSETS,
          Manifest.AGENTS);
  private static final List<String> NESTED = List.of(Manifest.ADAPTERS, Manifest.TOOLS);

  public static ParsedPack of(
      ManifestTable root, PackSource source, Set<String> lost, PromptFiles promptFiles) {
    var sections = new LinkedHashMap<String, Map<String, ManifestTable.NamedTable>>();
    FLAT.forEach(section -> sections.put(section, entriesByName(root.table(section))));
    NESTED.forEach(section -> sections.put(section, entriesByQualifiedName(root.table(section))));
    return new ParsedPack(root, source, lost, sections, promptFiles);
  }

  private static Map<String, ManifestTable.NamedTable> entriesByName(ManifestTable section) {
    var entries = new LinkedHashMap<String, ManifestTable.NamedTable>();
    section.namedTables().forEach(namedTable -> entries.put(namedTable.name().value(), namedTable));
    return entries;
  }

  private static Map<String, ManifestTable.NamedTable> entriesByQualifiedName(
      ManifestTable section) {
    var entries = new LinkedHashMap<String, ManifestTable.NamedTable>();
    for (var kind : section.namedTables()) {
      for (var namedTable : kind.table().namedTables()) {
        entries.put(kind.name().value() + "." + namedTable.name().value(), namedTable);
      }
    }
    return entries;
  }

  /** Returns whether part of a section could not be read. */
  public boolean isDamaged(String section) {
    return damagedSections.contains(section);
  }

  /** Returns a section's entries by name; in {@code adapters} and {@code tools} by both names. */
  public Map<String, ManifestTable.NamedTable> section(String section) {
    return sections.getOrDefault(section, Map.of());
  }

  /** Returns the name in a reference to a section, with or without the section before it. */
  public static String sectionEntryName(String section, TextNode reference) {
    String prefix = section + ".";
    String text = reference.value();
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  /** Returns the entry of a reference; empty if there is none. */
  public Optional<ManifestTable.NamedTable> find(String section, TextNode reference) {
    return Optional.ofNullable(section(section).get(sectionEntryName(section, reference)));
  }

  /** Returns the existing toolsets that an agent names. */
  public List<ManifestTable.NamedTable> toolsets(ManifestTable agent) {
    return agent.texts("toolsets").stream()
        .flatMap(reference -> find(Manifest.TOOLSETS, reference).stream())
        .toList();
  }

  /** Returns the ids of the tools in toolsets, each once, in their order. */
  public List<String> tools(List<ManifestTable.NamedTable> toolsets) {
    return toolsets.stream()
        .flatMap(toolset -> toolset.table().texts("tools").stream())
        .map(reference -> Manifest.TOOLS + "." + sectionEntryName(Manifest.TOOLS, reference))
        .distinct()
        .toList();
  }

  /** Returns an agent's settings: its own override those of its profile. */
  public ProfileSettings profileSettings(ManifestTable agent) {
    var profile = agent.text("profile").flatMap(name -> find(Manifest.PROFILES, name));
    var members = new ArrayList<>(agent.members().members());
    profile.ifPresent(namedTable -> members.addAll(namedTable.table().members().members()));
    return ProfileSettingKey.settingsIn(
        new ManifestTable(new JsonValueNode.Members(members, agent.origin())));
  }

  public ManifestTable defaults() {
    return root.table(Manifest.DEFAULTS);
  }

  public ManifestTable matrix() {
    return root.table(Manifest.SETTINGS).table(Manifest.MATRIX);
  }
}
