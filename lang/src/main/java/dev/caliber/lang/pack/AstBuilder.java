package dev.caliber.lang.pack;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.IndexEntry;
import dev.caliber.lang.ast.InjectionField;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.ast.NodeOrigin;
import dev.caliber.lang.ast.RuleNode;
import dev.caliber.lang.ast.SchemaField;
import dev.caliber.lang.ast.SyntaxBounds;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.syntax.FragmentParser;
import dev.caliber.lang.syntax.GrammarVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Builds the tree of the language from a pack directly, without source text: adapters, memories,
 * policies, then injections, each in the order of {@code cal.toml}. Nodes have their positions
 * there.
 */
final class AstBuilder {
  private final ParsedPack parsedPack;
  private final Diagnostics diagnostics;
  private final List<Definition> definitions = new ArrayList<>();
  private final Set<Span> hurt = new HashSet<>();

  private AstBuilder(ParsedPack parsedPack, Diagnostics diagnostics) {
    this.parsedPack = parsedPack;
    this.diagnostics = diagnostics;
  }

  /** Builds the tree; reports and leaves out invalid parts. */
  static BuiltTree build(ParsedPack parsedPack, Diagnostics diagnostics) {
    var builder = new AstBuilder(parsedPack, diagnostics);
    return new BuiltTree(builder.build(), builder.hurt);
  }

  /** A tree, and the spans of definitions from which a part was left out. */
  record BuiltTree(Ast ast, Set<Span> damagedSpans) {}

  /** Returns the name of an adapter in the language. */
  static String adapterName(String id) {
    return id.replace('.', '_');
  }

  private Ast build() {
    defineEach(Manifest.ADAPTERS, this::adapter);
    defineEach(Manifest.MEMORIES, (_, namedTable) -> memory(namedTable));
    defineEach(Manifest.POLICIES, (_, namedTable) -> policy(namedTable));
    defineEach(Manifest.INJECTIONS, (_, namedTable) -> injection(namedTable));
    return new Ast(TextNode.of(GrammarVersion.CURRENT), definitions, NodeOrigin.NONE);
  }

  private void defineEach(String section, BiConsumer<String, ManifestTable.NamedTable> definition) {
    parsedPack
        .section(section)
        .forEach(
            (id, namedTable) -> {
              int before = diagnostics.size();
              definition.accept(id, namedTable);
              if (diagnostics.size() > before) {
                hurt.add(namedTable.table().span());
              }
            });
  }

  private void adapter(String id, ManifestTable.NamedTable namedTable) {
    String name = adapterName(id);
    if (name.length() > SyntaxBounds.IDENTIFIER) {
      diagnostics.report(
          DiagnosticCode.TOKEN_TOO_LONG,
          namedTable.name().span(),
          "kind and name of an adapter have " + name.length() + " characters together",
          "at most " + SyntaxBounds.IDENTIFIER);
      return;
    }
    definitions.add(
        new Definition.Adapter(
            new NameNode(name, namedTable.name().origin()),
            adapterFields(namedTable.table()),
            namedTable.table().origin()));
  }

  private static List<AdapterField> adapterFields(ManifestTable manifestTable) {
    var fields = new ArrayList<AdapterField>();
    manifestTable
        .text("type")
        .ifPresent(
            type ->
                fields.add(
                    new AdapterField.AdapterTypeField(
                        ManifestTable.constant(AdapterType.class, type),
                        type.origin(),
                        origin(manifestTable, "type"))));
    manifestTable
        .text("connection")
        .ifPresent(
            textNode ->
                fields.add(
                    new AdapterField.Connection(textNode, origin(manifestTable, "connection"))));
    manifestTable
        .findTable("options")
        .ifPresent(
            options ->
                fields.add(
                    new AdapterField.Options(options.members(), origin(manifestTable, "options"))));
    return fields;
  }

  private void memory(ManifestTable.NamedTable namedTable) {
    definitions.add(
        new Definition.Memory(
            name(namedTable.name()),
            memoryFields(namedTable.table()),
            namedTable.table().origin()));
  }

  private List<MemoryField> memoryFields(ManifestTable manifestTable) {
    var fields = new ArrayList<MemoryField>();
    manifestTable
        .text("type")
        .ifPresent(
            type ->
                fields.add(
                    new MemoryField.Type(
                        ManifestTable.constant(MemoryType.class, type),
                        origin(manifestTable, "type"))));
    schema(manifestTable).ifPresent(fields::add);
    manifestTable
        .text("retention")
        .flatMap(textNode -> FragmentParser.retention(textNode, diagnostics))
        .ifPresent(
            node ->
                fields.add(new MemoryField.Retention(node, origin(manifestTable, "retention"))));
    index(manifestTable).ifPresent(fields::add);
    manifestTable
        .text("lifecycle")
        .flatMap(textNode -> FragmentParser.lifecycle(textNode, diagnostics))
        .ifPresent(
            node ->
                fields.add(new MemoryField.Lifecycle(node, origin(manifestTable, "lifecycle"))));
    artifacts(manifestTable).ifPresent(fields::add);
    manifestTable
        .text("parent")
        .flatMap(textNode -> FragmentParser.name(textNode, diagnostics))
        .ifPresent(
            node -> fields.add(new MemoryField.Parent(node, origin(manifestTable, "parent"))));
    injectOn(manifestTable).ifPresent(fields::add);
    return fields;
  }

  private Optional<MemoryField> schema(ManifestTable manifestTable) {
    var fields = new ArrayList<SchemaField>();
    for (var member : manifestTable.table("schema").members().members()) {
      if (member.value() instanceof TextNode textNode) {
        FragmentParser.type(textNode, diagnostics)
            .ifPresent(
                type -> fields.add(new SchemaField(name(member.key()), type, member.origin())));
      }
    }
    return nonEmpty(fields)
        .map(all -> new MemoryField.Schema(all, origin(manifestTable, "schema")));
  }

  private static Optional<MemoryField> index(ManifestTable manifestTable) {
    var entries = new ArrayList<IndexEntry>();
    for (var member : manifestTable.table("index").members().members()) {
      if (member.value() instanceof TextNode textNode) {
        entries.add(
            new IndexEntry(
                name(member.key()),
                ManifestTable.constant(IndexType.class, textNode),
                member.origin()));
      }
    }
    return nonEmpty(entries).map(all -> new MemoryField.Index(all, origin(manifestTable, "index")));
  }

  private static Optional<MemoryField> artifacts(ManifestTable manifestTable) {
    return nonEmpty(manifestTable.texts("artifacts"))
        .map(all -> new MemoryField.Artifacts(all, origin(manifestTable, "artifacts")));
  }

  private Optional<MemoryField> injectOn(ManifestTable manifestTable) {
    return nonEmpty(triggers(manifestTable.texts("inject_on")))
        .map(all -> new MemoryField.InjectOn(all, origin(manifestTable, "inject_on")));
  }

  private List<TriggerNode> triggers(List<TextNode> texts) {
    return texts.stream()
        .flatMap(textNode -> FragmentParser.trigger(textNode, diagnostics).stream())
        .toList();
  }

  private void policy(ManifestTable.NamedTable namedTable) {
    var rules =
        namedTable.table().tables("rules").stream().flatMap(rule -> rule(rule).stream()).toList();
    definitions.add(
        new Definition.Policy(name(namedTable.name()), rules, namedTable.table().origin()));
  }

  private Optional<RuleNode> rule(ManifestTable rule) {
    var trigger =
        rule.text("on").flatMap(textNode -> FragmentParser.trigger(textNode, diagnostics));
    List<ActionNode> actions =
        rule.texts("actions").stream()
            .flatMap(textNode -> FragmentParser.action(textNode, diagnostics).stream())
            .toList();
    return trigger.isEmpty() || actions.isEmpty()
        ? Optional.empty()
        : Optional.of(new RuleNode(trigger.get(), actions, rule.origin()));
  }

  private void injection(ManifestTable.NamedTable namedTable) {
    var manifestTable = namedTable.table();
    var memory =
        manifestTable
            .text("memory")
            .flatMap(textNode -> FragmentParser.name(textNode, diagnostics));
    var target =
        manifestTable
            .text("target")
            .flatMap(textNode -> FragmentParser.name(textNode, diagnostics));
    var fields = injectionFields(manifestTable);
    if (memory.isPresent() && target.isPresent()) {
      definitions.add(
          new Definition.Injection(memory.get(), target.get(), fields, manifestTable.origin()));
    }
  }

  private List<InjectionField> injectionFields(ManifestTable manifestTable) {
    var fields = new ArrayList<InjectionField>();
    manifestTable
        .text("mode")
        .flatMap(textNode -> FragmentParser.mode(textNode, diagnostics))
        .ifPresent(
            node -> fields.add(new InjectionField.Mode(node, origin(manifestTable, "mode"))));
    manifestTable
        .number("priority")
        .ifPresent(
            node ->
                fields.add(new InjectionField.Priority(node, origin(manifestTable, "priority"))));
    manifestTable
        .number("max_tokens")
        .ifPresent(
            node ->
                fields.add(
                    new InjectionField.MaxTokens(node, origin(manifestTable, "max_tokens"))));
    manifestTable
        .text("filter")
        .flatMap(textNode -> FragmentParser.filter(textNode, diagnostics))
        .ifPresent(
            node -> fields.add(new InjectionField.Where(node, origin(manifestTable, "filter"))));
    return fields;
  }

  private static <T> Optional<List<T>> nonEmpty(List<T> list) {
    return list.isEmpty() ? Optional.empty() : Optional.of(list);
  }

  private static NameNode name(TextNode key) {
    return new NameNode(key.value(), key.origin());
  }

  private static NodeOrigin origin(ManifestTable manifestTable, String key) {
    return manifestTable
        .member(key)
        .map(JsonValueNode.Member::origin)
        .orElse(manifestTable.origin());
  }
}
