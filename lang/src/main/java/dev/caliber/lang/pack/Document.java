package dev.caliber.lang.pack;

import dev.caliber.kernel.pack.Knobs;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pack as the rules look at it: what of {@code cal.toml} has its shape, the files, and the
 * prompts that were read.
 *
 * @param lost the sections of which some could not be read
 */
record Document(
    Table root,
    PackSource source,
    Set<String> lost,
    Map<String, Map<String, Table.Entry>> sections,
    Prompts prompts) {
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

  static Document of(Table root, PackSource source, Set<String> lost, Prompts prompts) {
    var sections = new LinkedHashMap<String, Map<String, Table.Entry>>();
    FLAT.forEach(section -> sections.put(section, flat(root.table(section))));
    NESTED.forEach(section -> sections.put(section, nested(root.table(section))));
    return new Document(root, source, lost, sections, prompts);
  }

  private static Map<String, Table.Entry> flat(Table section) {
    var entries = new LinkedHashMap<String, Table.Entry>();
    section.entries().forEach(entry -> entries.put(entry.name().value(), entry));
    return entries;
  }

  private static Map<String, Table.Entry> nested(Table section) {
    var entries = new LinkedHashMap<String, Table.Entry>();
    for (var kind : section.entries()) {
      for (var entry : kind.table().entries()) {
        entries.put(kind.name().value() + "." + entry.name().value(), entry);
      }
    }
    return entries;
  }

  /** Whether some of a section could not be read, so that nothing should be missed in it. */
  boolean isLost(String section) {
    return lost.contains(section);
  }

  /** What a section defines, by its name; in {@code adapters} and {@code tools} by both names. */
  Map<String, Table.Entry> section(String section) {
    return sections.getOrDefault(section, Map.of());
  }

  /** The name that a reference to a section means, with or without the section before it. */
  static String name(String section, Text reference) {
    String prefix = section + ".";
    String text = reference.value();
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  /** What a reference means; empty for one that means nothing. */
  Optional<Table.Entry> find(String section, Text reference) {
    return Optional.ofNullable(section(section).get(name(section, reference)));
  }

  /** The toolsets that an agent names and that there are. */
  List<Table.Entry> toolsets(Table agent) {
    return agent.texts("toolsets").stream()
        .flatMap(reference -> find(Manifest.TOOLSETS, reference).stream())
        .toList();
  }

  /** The ids of the tools in toolsets, each once, in their order. */
  List<String> tools(List<Table.Entry> toolsets) {
    return toolsets.stream()
        .flatMap(toolset -> toolset.table().texts("tools").stream())
        .map(reference -> Manifest.TOOLS + "." + name(Manifest.TOOLS, reference))
        .distinct()
        .toList();
  }

  /** The state of an agent's settings: what it says itself goes before what its profile says. */
  Knobs knobs(Table agent) {
    var profile = agent.text("profile").flatMap(name -> find(Manifest.PROFILES, name));
    var members = new ArrayList<>(agent.members().members());
    profile.ifPresent(entry -> members.addAll(entry.table().members().members()));
    return PackLowering.knobs(new Table(new JsonValueNode.Members(members, agent.origin())));
  }

  Table defaults() {
    return root.table(Manifest.DEFAULTS);
  }

  Table matrix() {
    return root.table(Manifest.SETTINGS).table(Manifest.MATRIX);
  }
}
