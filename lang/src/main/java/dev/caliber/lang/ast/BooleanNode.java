package dev.caliber.lang.ast;

/** True or false. */
public record BooleanNode(boolean value, NodeOrigin origin) implements ValueNode, JsonValueNode {
  public static BooleanNode of(boolean value) {
    return new BooleanNode(value, NodeOrigin.NONE);
  }
}
