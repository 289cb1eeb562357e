package dev.caliber.lang.syntax;

/** True or false. */
public record Flag(boolean value, NodeOrigin origin) implements ValueNode, JsonValueNode {
  public static Flag of(boolean value) {
    return new Flag(value, NodeOrigin.NONE);
  }
}
