package dev.caliber.lang.syntax;

import dev.caliber.kernel.KernelException;

/** A text, without its quotation marks and with its escapes resolved. */
public record Text(String value, NodeOrigin origin) implements ValueNode, JsonValueNode {
  public Text {
    if (value.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      throw KernelException.invalidValue("text", "whole characters", value);
    }
    if (value.length() > SyntaxBounds.TEXT) {
      throw KernelException.limitExceeded("length of a text", SyntaxBounds.TEXT, value.length());
    }
  }

  /** Returns whether the source has exactly this text between one pair of quotation marks. */
  public boolean isVerbatim() {
    var span = span();
    int length = value.codePointCount(0, value.length());
    return span.line() == span.endLine() && span.endColumn() - span.column() - 2 == length;
  }

  public static Text of(String value) {
    return new Text(value, NodeOrigin.NONE);
  }
}
