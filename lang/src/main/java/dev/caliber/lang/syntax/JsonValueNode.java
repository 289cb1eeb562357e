package dev.caliber.lang.syntax;

import java.util.List;

/** A JSON value of an adapter's options. */
public sealed interface JsonValueNode extends Node
    permits Text,
        NumberNode,
        Flag,
        JsonValueNode.Nothing,
        JsonValueNode.Items,
        JsonValueNode.Members {
  /** {@code null} */
  record Nothing(Origin origin) implements JsonValueNode {}

  record Items(List<JsonValueNode> values, Origin origin) implements JsonValueNode {
    public Items {
      values = List.copyOf(values);
    }
  }

  record Members(List<Member> members, Origin origin) implements JsonValueNode {
    public Members {
      members = List.copyOf(members);
    }
  }

  /** {@code "key": value} */
  record Member(Text key, JsonValueNode value, Origin origin) implements Node {}
}
