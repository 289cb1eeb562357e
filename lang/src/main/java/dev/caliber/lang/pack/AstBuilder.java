package dev.caliber.lang.pack;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.syntax.ActionNode;
import dev.caliber.lang.syntax.AdapterField;
import dev.caliber.lang.syntax.Ast;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.Fragment;
import dev.caliber.lang.syntax.GrammarVersion;
import dev.caliber.lang.syntax.IndexEntry;
import dev.caliber.lang.syntax.InjectionField;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.Name;
import dev.caliber.lang.syntax.Origin;
import dev.caliber.lang.syntax.RuleNode;
import dev.caliber.lang.syntax.SchemaField;
import dev.caliber.lang.syntax.SyntaxBounds;
import dev.caliber.lang.syntax.Text;
import dev.caliber.lang.syntax.TriggerNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Makes the tree of the language from a pack, without a detour over text: adapters, memories,
 * policies, then injections, each in the order of {@code cal.toml}. Nodes have their places there.
 */
final class AstBuilder {
  private final Document document;
  private final Diagnostics diagnostics;
  private final List<Definition> definitions = new ArrayList<>();
  private final Set<Span> hurt = new HashSet<>();

  private AstBuilder(Document document, Diagnostics diagnostics) {
    this.document = document;
    this.diagnostics = diagnostics;
  }

  /** What cannot be understood is reported and left out. */
  static Built build(Document document, Diagnostics diagnostics) {
    var builder = new AstBuilder(document, diagnostics);
    return new Built(builder.build(), builder.hurt);
  }

  /** A tree, and the places of definitions that lack something. */
  record Built(Ast ast, Set<Span> hurt) {}

  /** What an adapter is called in the language. */
  static String adapterName(String id) {
    return id.replace('.', '_');
  }

  private Ast build() {
    define(Manifest.ADAPTERS, this::adapter);
    define(Manifest.MEMORIES, (_, entry) -> memory(entry));
    define(Manifest.POLICIES, (_, entry) -> policy(entry));
    define(Manifest.INJECTIONS, (_, entry) -> injection(entry));
    return new Ast(Text.of(GrammarVersion.CURRENT), definitions, Origin.NONE);
  }

  private void define(String section, BiConsumer<String, Table.Entry> definition) {
    document
        .section(section)
        .forEach(
            (id, entry) -> {
              int before = diagnostics.size();
              definition.accept(id, entry);
              if (diagnostics.size() > before) {
                hurt.add(entry.table().span());
              }
            });
  }

  private void adapter(String id, Table.Entry entry) {
    String name = adapterName(id);
    if (name.length() > SyntaxBounds.IDENTIFIER) {
      diagnostics.report(
          DiagnosticCode.TOKEN_TOO_LONG,
          entry.name().span(),
          "kind and name of an adapter have " + name.length() + " characters together",
          "at most " + SyntaxBounds.IDENTIFIER);
      return;
    }
    definitions.add(
        new Definition.Adapter(
            new Name(name, entry.name().origin()),
            adapterFields(entry.table()),
            entry.table().origin()));
  }

  private static List<AdapterField> adapterFields(Table table) {
    var fields = new ArrayList<AdapterField>();
    table
        .text("type")
        .ifPresent(
            type ->
                fields.add(
                    new AdapterField.Type(
                        Table.constant(AdapterType.class, type),
                        type.origin(),
                        origin(table, "type"))));
    table
        .text("connection")
        .ifPresent(
            text -> fields.add(new AdapterField.Connection(text, origin(table, "connection"))));
    table
        .find("options")
        .ifPresent(
            options ->
                fields.add(new AdapterField.Options(options.members(), origin(table, "options"))));
    return fields;
  }

  private void memory(Table.Entry entry) {
    definitions.add(
        new Definition.Memory(
            name(entry.name()), memoryFields(entry.table()), entry.table().origin()));
  }

  private List<MemoryField> memoryFields(Table table) {
    var fields = new ArrayList<MemoryField>();
    table
        .text("type")
        .ifPresent(
            type ->
                fields.add(
                    new MemoryField.Type(
                        Table.constant(MemoryType.class, type), origin(table, "type"))));
    schema(table).ifPresent(fields::add);
    table
        .text("retention")
        .flatMap(text -> Fragment.retention(text, diagnostics))
        .ifPresent(node -> fields.add(new MemoryField.Retention(node, origin(table, "retention"))));
    index(table).ifPresent(fields::add);
    table
        .text("lifecycle")
        .flatMap(text -> Fragment.lifecycle(text, diagnostics))
        .ifPresent(node -> fields.add(new MemoryField.Lifecycle(node, origin(table, "lifecycle"))));
    artifacts(table).ifPresent(fields::add);
    table
        .text("parent")
        .flatMap(text -> Fragment.name(text, diagnostics))
        .ifPresent(node -> fields.add(new MemoryField.Parent(node, origin(table, "parent"))));
    injectOn(table).ifPresent(fields::add);
    return fields;
  }

  private Optional<MemoryField> schema(Table table) {
    var fields = new ArrayList<SchemaField>();
    for (var member : table.table("schema").members().members()) {
      if (member.value() instanceof Text text) {
        Fragment.type(text, diagnostics)
            .ifPresent(
                type -> fields.add(new SchemaField(name(member.key()), type, member.origin())));
      }
    }
    return some(fields).map(all -> new MemoryField.Schema(all, origin(table, "schema")));
  }

  private static Optional<MemoryField> index(Table table) {
    var entries = new ArrayList<IndexEntry>();
    for (var member : table.table("index").members().members()) {
      if (member.value() instanceof Text text) {
        entries.add(
            new IndexEntry(
                name(member.key()), Table.constant(IndexType.class, text), member.origin()));
      }
    }
    return some(entries).map(all -> new MemoryField.Index(all, origin(table, "index")));
  }

  private static Optional<MemoryField> artifacts(Table table) {
    return some(table.texts("artifacts"))
        .map(all -> new MemoryField.Artifacts(all, origin(table, "artifacts")));
  }

  private Optional<MemoryField> injectOn(Table table) {
    return some(triggers(table.texts("inject_on")))
        .map(all -> new MemoryField.InjectOn(all, origin(table, "inject_on")));
  }

  private List<TriggerNode> triggers(List<Text> texts) {
    return texts.stream().flatMap(text -> Fragment.trigger(text, diagnostics).stream()).toList();
  }

  private void policy(Table.Entry entry) {
    var rules =
        entry.table().tables("rules").stream().flatMap(rule -> rule(rule).stream()).toList();
    definitions.add(new Definition.Policy(name(entry.name()), rules, entry.table().origin()));
  }

  private Optional<RuleNode> rule(Table rule) {
    var trigger = rule.text("on").flatMap(text -> Fragment.trigger(text, diagnostics));
    List<ActionNode> actions =
        rule.texts("actions").stream()
            .flatMap(text -> Fragment.action(text, diagnostics).stream())
            .toList();
    return trigger.isEmpty() || actions.isEmpty()
        ? Optional.empty()
        : Optional.of(new RuleNode(trigger.get(), actions, rule.origin()));
  }

  private void injection(Table.Entry entry) {
    var table = entry.table();
    var memory = table.text("memory").flatMap(text -> Fragment.name(text, diagnostics));
    var target = table.text("target").flatMap(text -> Fragment.name(text, diagnostics));
    var fields = injectionFields(table);
    if (memory.isPresent() && target.isPresent()) {
      definitions.add(new Definition.Injection(memory.get(), target.get(), fields, table.origin()));
    }
  }

  private List<InjectionField> injectionFields(Table table) {
    var fields = new ArrayList<InjectionField>();
    table
        .text("mode")
        .flatMap(text -> Fragment.mode(text, diagnostics))
        .ifPresent(node -> fields.add(new InjectionField.Mode(node, origin(table, "mode"))));
    table
        .number("priority")
        .ifPresent(
            node -> fields.add(new InjectionField.Priority(node, origin(table, "priority"))));
    table
        .number("max_tokens")
        .ifPresent(
            node -> fields.add(new InjectionField.MaxTokens(node, origin(table, "max_tokens"))));
    table
        .text("filter")
        .flatMap(text -> Fragment.filter(text, diagnostics))
        .ifPresent(node -> fields.add(new InjectionField.Where(node, origin(table, "filter"))));
    return fields;
  }

  private static <T> Optional<List<T>> some(List<T> list) {
    return list.isEmpty() ? Optional.empty() : Optional.of(list);
  }

  private static Name name(Text key) {
    return new Name(key.value(), key.origin());
  }

  private static Origin origin(Table table, String key) {
    return table.member(key).map(JsonValueNode.Member::origin).orElse(table.origin());
  }
}
