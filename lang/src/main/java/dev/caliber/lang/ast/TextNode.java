package dev.caliber.lang.ast;

import dev.caliber.kernel.KernelException;

/** A text, without its quotation marks and with its escapes resolved. */
public record TextNode(String value, NodeOrigin origin) implements ValueNode, JsonValueNode {
  public TextNode {
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

  public static TextNode of(String value) {
    return new TextNode(value, NodeOrigin.NONE);
  }
}
