package dev.caliber.lang.syntax;

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

  record Type(MemoryType type, Origin origin) implements MemoryField {}

  record Schema(List<SchemaField> fields, Origin origin) implements MemoryField {
    public Schema {
      fields = Lists.some(fields);
    }
  }

  record Retention(RetentionNode retention, Origin origin) implements MemoryField {}

  record Index(List<IndexEntry> entries, Origin origin) implements MemoryField {
    public Index {
      entries = Lists.some(entries);
    }
  }

  record Lifecycle(LifecycleNode lifecycle, Origin origin) implements MemoryField {}

  record Artifacts(List<Text> types, Origin origin) implements MemoryField {
    public Artifacts {
      types = Lists.some(types);
    }
  }

  record Parent(Name memory, Origin origin) implements MemoryField {}

  record InjectOn(List<TriggerNode> triggers, Origin origin) implements MemoryField {
    public InjectOn {
      triggers = Lists.some(triggers);
    }
  }
}
