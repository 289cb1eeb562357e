package dev.caliber.lang.ast;

import dev.caliber.kernel.config.MemoryType;
import java.util.List;

/** A field of a memory's body. */
public sealed interface MemoryField extends FieldNode {
  @Override
  default String word() {
    return switch (this) {
      case Type _ -> Keywords.TYPE;
      case Schema _ -> Keywords.SCHEMA;
      case Retention _ -> Keywords.RETENTION;
      case Index _ -> Keywords.INDEX;
      case Lifecycle _ -> Keywords.LIFECYCLE;
      case Artifacts _ -> Keywords.ARTIFACTS;
      case Parent _ -> Keywords.PARENT;
      case InjectOn _ -> Keywords.INJECT_ON;
    };
  }

  record Type(MemoryType type, NodeOrigin origin) implements MemoryField {}

  record Schema(List<SchemaField> fields, NodeOrigin origin) implements MemoryField {
    public Schema {
      fields = NodeLists.requireNonEmpty(fields);
    }
  }

  record Retention(RetentionNode retention, NodeOrigin origin) implements MemoryField {}

  record Index(List<IndexEntry> entries, NodeOrigin origin) implements MemoryField {
    public Index {
      entries = NodeLists.requireNonEmpty(entries);
    }
  }

  record Lifecycle(LifecycleNode lifecycle, NodeOrigin origin) implements MemoryField {}

  record Artifacts(List<TextNode> types, NodeOrigin origin) implements MemoryField {
    public Artifacts {
      types = NodeLists.requireNonEmpty(types);
    }
  }

  record Parent(NameNode memory, NodeOrigin origin) implements MemoryField {}

  record InjectOn(List<TriggerNode> triggers, NodeOrigin origin) implements MemoryField {
    public InjectOn {
      triggers = NodeLists.requireNonEmpty(triggers);
    }
  }
}
