package dev.caliber.lang.ast;

import dev.caliber.kernel.KernelException;
import java.math.BigDecimal;

/** A number with the digits that were written. */
public record NumberNode(BigDecimal value, NodeOrigin origin) implements ValueNode, JsonValueNode {
  public NumberNode {
    value = value.scale() < 0 ? value.setScale(0) : value;
    if (value.toPlainString().length() > SyntaxBounds.NUMBER) {
      throw KernelException.limitExceeded(
          "length of a number", SyntaxBounds.NUMBER, value.toPlainString().length());
    }
  }

  public static NumberNode of(long value) {
    return new NumberNode(BigDecimal.valueOf(value), NodeOrigin.NONE);
  }

  public static NumberNode of(String value) {
    return new NumberNode(new BigDecimal(value), NodeOrigin.NONE);
  }
}
