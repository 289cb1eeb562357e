package dev.caliber.lang.lower;

import dev.caliber.kernel.config.FieldDefinition;
import dev.caliber.kernel.config.IndexDefinition;
import dev.caliber.kernel.config.Lifecycle;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.LifecycleNode;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.RetentionNode;
import dev.caliber.lang.ast.TextNode;
import java.util.List;
import java.util.Optional;

/** Turns a memory's fields, in any order, into its definition. */
final class MemoryLowering {
  private MemoryLowering() {}

  static MemoryDefinition lower(Definition.Memory memory) {
    return new MemoryDefinition(
        memory.name().text(),
        required(memory, MemoryField.Type.class).type(),
        schema(required(memory, MemoryField.Schema.class)),
        retention(required(memory, MemoryField.Retention.class).retention()),
        find(memory, MemoryField.Lifecycle.class).map(field -> lifecycle(field.lifecycle())),
        find(memory, MemoryField.Index.class).map(MemoryLowering::indexes).orElse(List.of()),
        find(memory, MemoryField.Artifacts.class).map(MemoryLowering::artifacts).orElse(List.of()),
        find(memory, MemoryField.Parent.class).map(field -> field.memory().text()),
        find(memory, MemoryField.InjectOn.class).map(MemoryLowering::triggers).orElse(List.of()));
  }

  private static <F extends MemoryField> F required(Definition.Memory memory, Class<F> type) {
    return find(memory, type).orElseThrow(() -> LoweringErrors.missingField(type.getSimpleName()));
  }

  private static <F extends MemoryField> Optional<F> find(Definition.Memory memory, Class<F> type) {
    return memory.fields().stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  private static List<FieldDefinition> schema(MemoryField.Schema schema) {
    return schema.fields().stream()
        .map(field -> new FieldDefinition(field.name().text(), field.type().type()))
        .toList();
  }

  private static Retention retention(RetentionNode retention) {
    return switch (retention) {
      case RetentionNode.Persistent _ -> new Retention.PersistentRetention();
      case RetentionNode.SessionRetentionNode _ -> new Retention.SessionRetention();
      case RetentionNode.ScopeRetentionNode _ -> new Retention.ScopeRetention();
      case RetentionNode.For(var duration, _) ->
          new Retention.DurationRetention(duration.duration());
      case RetentionNode.Max(var count, _) ->
          new Retention.CountRetention(count.value().intValueExact());
      case RetentionNode.CompressOn(var trigger, _) ->
          new Retention.CompressionRetention(PolicyLowering.trigger(trigger));
    };
  }

  private static Lifecycle lifecycle(LifecycleNode lifecycle) {
    return switch (lifecycle) {
      case LifecycleNode.Explicit _ -> new Lifecycle.ExplicitClose();
      case LifecycleNode.AutoClose(var trigger, _) ->
          new Lifecycle.AutomaticClose(PolicyLowering.trigger(trigger));
    };
  }

  private static List<IndexDefinition> indexes(MemoryField.Index index) {
    return index.entries().stream()
        .map(entry -> new IndexDefinition(entry.field().text(), entry.type()))
        .toList();
  }

  private static List<String> artifacts(MemoryField.Artifacts artifacts) {
    return artifacts.types().stream().map(TextNode::value).toList();
  }

  private static List<Trigger> triggers(MemoryField.InjectOn injectOn) {
    return injectOn.triggers().stream().map(PolicyLowering::trigger).toList();
  }
}
