package dev.caliber.lang.ast;

import java.util.List;

/** A JSON value of an adapter's options. */
public sealed interface JsonValueNode extends Node
    permits TextNode,
        NumberNode,
        BooleanNode,
        JsonValueNode.NullValue,
        JsonValueNode.Items,
        JsonValueNode.Members {
  /** {@code null} */
  record NullValue(NodeOrigin origin) implements JsonValueNode {}

  record Items(List<JsonValueNode> values, NodeOrigin origin) implements JsonValueNode {
    public Items {
      values = List.copyOf(values);
    }
  }

  record Members(List<Member> members, NodeOrigin origin) implements JsonValueNode {
    public Members {
      members = List.copyOf(members);
    }
  }

  /** {@code "key": value} */
  record Member(TextNode key, JsonValueNode value, NodeOrigin origin) implements Node {}
}
