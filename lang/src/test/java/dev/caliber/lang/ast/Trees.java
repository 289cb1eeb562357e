package dev.caliber.lang.ast;

import dev.caliber.kernel.config.AdapterType;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.kernel.config.IndexType;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.Trigger;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Random trees: every kind of node, with or without meaning. */
public final class Trees {
  private static final NodeOrigin NONE = NodeOrigin.NONE;
  private static final int MOST = 3;
  private static final BigDecimal BILLION = new BigDecimal("1000000000");
  private static final List<String> WORDS =
      Stream.of(
              Keywords.DEFINITIONS,
              Keywords.MEMORY_FIELDS,
              Keywords.TRIGGERS,
              Keywords.RETENTIONS,
              Keywords.FILTER_WORDS,
              Keywords.VALUE_WORDS)
          .flatMap(List::stream)
          .toList();

  private Trees() {}

  public static Arbitrary<Ast> asts() {
    return Combinators.combine(texts(), some(definitions(), 0))
        .as((version, definitions) -> new Ast(version, definitions, NONE));
  }

  static Arbitrary<NameNode> names() {
    var made =
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .withChars("_09")
            .ofMinLength(1)
            .ofMaxLength(6);
    return Arbitraries.oneOf(made.map(name -> "_" + name), Arbitraries.of(WORDS)).map(NameNode::of);
  }

  static Arbitrary<TextNode> texts() {
    return Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(8),
            Arbitraries.strings().withChars("\"\\\n\t{}// é\u0085\u2028").ofMaxLength(8))
        .filter(
            text -> text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE))
        .map(TextNode::of);
  }

  static Arbitrary<NumberNode> numbers() {
    return Arbitraries.integers()
        .between(0, MOST)
        .flatMap(
            scale -> Arbitraries.bigDecimals().between(BILLION.negate(), BILLION).ofScale(scale))
        .map(number -> new NumberNode(number, NONE));
  }

  private static Arbitrary<DurationNode> durations() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 1_000_000), Arbitraries.of(DurationNode.Unit.class))
        .as(DurationNode::of);
  }

  private static Arbitrary<Definition> definitions() {
    return Arbitraries.oneOf(
        Combinators.combine(names(), some(memoryFields(), 0))
            .as((nameNode, fields) -> new Definition.Memory(nameNode, fields, NONE)),
        Combinators.combine(names(), some(rules(), 0))
            .as((nameNode, rules) -> new Definition.Policy(nameNode, rules, NONE)),
        Combinators.combine(names(), some(adapterFields(), 0))
            .as((nameNode, fields) -> new Definition.Adapter(nameNode, fields, NONE)),
        Combinators.combine(names(), names(), some(injectionFields(), 0))
            .as(
                (memory, target, fields) ->
                    new Definition.Injection(memory, target, fields, NONE)));
  }

  private static Arbitrary<MemoryField> memoryFields() {
    return Arbitraries.oneOf(
        Arbitraries.of(MemoryType.class).map(type -> new MemoryField.Type(type, NONE)),
        some(schemaFields(), 1).map(fields -> new MemoryField.Schema(fields, NONE)),
        retentions().map(retention -> new MemoryField.Retention(retention, NONE)),
        some(indexEntries(), 1).map(entries -> new MemoryField.Index(entries, NONE)),
        Arbitraries.oneOf(
                Arbitraries.just(new LifecycleNode.Explicit(NONE)),
                triggers().map(trigger -> new LifecycleNode.AutoClose(trigger, NONE)))
            .map(lifecycle -> new MemoryField.Lifecycle(lifecycle, NONE)),
        some(texts(), 1).map(types -> new MemoryField.Artifacts(types, NONE)),
        names().map(parent -> new MemoryField.Parent(parent, NONE)),
        some(triggers(), 1).map(triggers -> new MemoryField.InjectOn(triggers, NONE)));
  }

  private static Arbitrary<SchemaField> schemaFields() {
    Arbitrary<TypeNode> types =
        Arbitraries.oneOf(
            Arbitraries.of(FieldType.PrimitiveType.class)
                .map(type -> new TypeNode.Plain(type, NONE)),
            some(texts(), 1).map(values -> new TypeNode.Enumeration(values, NONE)));
    return Combinators.combine(names(), types)
        .as((nameNode, type) -> new SchemaField(nameNode, type, NONE));
  }

  private static Arbitrary<IndexEntry> indexEntries() {
    return Combinators.combine(names(), Arbitraries.of(IndexType.class))
        .as((field, type) -> new IndexEntry(field, type, NONE));
  }

  private static Arbitrary<RetentionNode> retentions() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            new RetentionNode.Persistent(NONE),
            new RetentionNode.SessionRetentionNode(NONE),
            new RetentionNode.ScopeRetentionNode(NONE)),
        durations().map(duration -> new RetentionNode.For(duration, NONE)),
        numbers().map(count -> new RetentionNode.Max(count, NONE)),
        triggers().map(trigger -> new RetentionNode.CompressOn(trigger, NONE)));
  }

  private static Arbitrary<TriggerNode> triggers() {
    return Arbitraries.oneOf(
        Arbitraries.of(Trigger.TrajectoryTriggerEvent.class)
            .map(trajectoryTriggerEvent -> new TriggerNode.On(trajectoryTriggerEvent, NONE)),
        texts().map(cron -> new TriggerNode.Schedule(cron, NONE)));
  }

  private static Arbitrary<RuleNode> rules() {
    return Combinators.combine(triggers(), some(actions(), 1))
        .as((trigger, actions) -> new RuleNode(trigger, actions, NONE));
  }

  private static Arbitrary<ActionNode> actions() {
    Arbitrary<CriteriaNode> criteria =
        Arbitraries.oneOf(
            durations().map(age -> new CriteriaNode.OlderThan(age, NONE)),
            numbers().map(least -> new CriteriaNode.BelowConfidence(least, NONE)));
    return Arbitraries.oneOf(
        names().map(memory -> new ActionNode.Summarize(memory, NONE)),
        names().map(memory -> new ActionNode.ExtractArtifacts(memory, NONE)),
        Combinators.combine(names(), modes())
            .as((memory, mode) -> new ActionNode.Inject(memory, mode, NONE)),
        Combinators.combine(names(), criteria)
            .as((memory, criterion) -> new ActionNode.Prune(memory, criterion, NONE)),
        names().map(memory -> new ActionNode.CheckpointActionNode(memory, NONE)),
        texts().map(channel -> new ActionNode.Notify(channel, NONE)));
  }

  private static Arbitrary<ModeNode> modes() {
    return Arbitraries.oneOf(
        Arbitraries.of(new ModeNode.Full(NONE), new ModeNode.Summary(NONE)),
        numbers().map(count -> new ModeNode.TopK(count, NONE)),
        numbers().map(threshold -> new ModeNode.Relevant(threshold, NONE)));
  }

  private static Arbitrary<AdapterField> adapterFields() {
    return Arbitraries.oneOf(
        Arbitraries.of(AdapterType.class)
            .map(type -> new AdapterField.AdapterTypeField(type, NONE, NONE)),
        texts().map(connection -> new AdapterField.Connection(connection, NONE)),
        members(json()).map(options -> new AdapterField.Options(options, NONE)));
  }

  private static Arbitrary<JsonValueNode> json() {
    return Arbitraries.recursive(
        () ->
            Arbitraries.oneOf(
                texts(),
                numbers(),
                Arbitraries.of(true, false).map(BooleanNode::of),
                Arbitraries.just(new JsonValueNode.NullValue(NONE))),
        inner ->
            Arbitraries.oneOf(
                members(inner), some(inner, 0).map(items -> new JsonValueNode.Items(items, NONE))),
        0,
        MOST);
  }

  private static Arbitrary<JsonValueNode.Members> members(Arbitrary<JsonValueNode> value) {
    return some(
            Combinators.combine(texts(), value)
                .as((key, member) -> new JsonValueNode.Member(key, member, NONE)),
            0)
        .map(members -> new JsonValueNode.Members(members, NONE));
  }

  private static Arbitrary<InjectionField> injectionFields() {
    return Arbitraries.oneOf(
        modes().map(mode -> new InjectionField.Mode(mode, NONE)),
        numbers().map(priority -> new InjectionField.Priority(priority, NONE)),
        numbers().map(tokens -> new InjectionField.MaxTokens(tokens, NONE)),
        filters().map(filter -> new InjectionField.Where(filter, NONE)));
  }

  static Arbitrary<FilterNode> filters() {
    return Arbitraries.recursive(
        Trees::comparisons,
        inner ->
            Arbitraries.oneOf(
                some(inner, 2).map(parts -> new FilterNode.And(parts, NONE)),
                some(inner, 2).map(parts -> new FilterNode.Or(parts, NONE))),
        0,
        MOST);
  }

  private static Arbitrary<FilterNode> comparisons() {
    var fields = names().filter(nameNode -> !Keywords.FILTER_WORDS.contains(nameNode.text()));
    return Combinators.combine(fields, Arbitraries.of(ComparisonOperator.class), values())
        .as((field, sign, value) -> new FilterNode.Comparison(field, sign, NONE, value, NONE));
  }

  private static Arbitrary<ValueNode> values() {
    var words =
        names()
            .filter(nameNode -> !Keywords.FILTER_WORDS.contains(nameNode.text()))
            .filter(nameNode -> !Keywords.VALUE_WORDS.contains(nameNode.text()));
    return Arbitraries.oneOf(
        texts(),
        numbers(),
        Arbitraries.of(true, false).map(BooleanNode::of),
        durations(),
        Arbitraries.of(new ValueNode.CurrentTime(NONE), new ValueNode.CurrentTrajectory(NONE)),
        words.map(nameNode -> new ValueNode.Word(nameNode, NONE)));
  }

  private static <T> Arbitrary<List<T>> some(Arbitrary<? extends T> entries, int least) {
    return entries.<T>map(entry -> entry).list().ofMinSize(least).ofMaxSize(MOST);
  }
}
