package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.AdapterType;

/** A field of an adapter's body. */
public sealed interface AdapterField extends FieldNode {
  @Override
  default String word() {
    return switch (this) {
      case Type _ -> Keywords.TYPE;
      case Connection _ -> Keywords.CONNECTION;
      case Options _ -> Keywords.OPTIONS;
    };
  }

  record Type(AdapterType type, Origin valueOrigin, Origin origin) implements AdapterField {}

  record Connection(Text connection, Origin origin) implements AdapterField {}

  record Options(JsonValueNode.Members options, Origin origin) implements AdapterField {}
}
