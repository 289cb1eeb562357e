package dev.caliber.lang.ast;

import dev.caliber.kernel.config.AdapterType;

/** A field of an adapter's body. */
public sealed interface AdapterField extends FieldNode {
  @Override
  default String word() {
    return switch (this) {
      case AdapterTypeField _ -> Keywords.TYPE;
      case Connection _ -> Keywords.CONNECTION;
      case Options _ -> Keywords.OPTIONS;
    };
  }

  record AdapterTypeField(AdapterType type, NodeOrigin valueOrigin, NodeOrigin origin)
      implements AdapterField {}

  record Connection(TextNode connection, NodeOrigin origin) implements AdapterField {}

  record Options(JsonValueNode.Members options, NodeOrigin origin) implements AdapterField {}
}
