package dev.caliber.lang.ast;

import dev.caliber.kernel.KernelException;
import java.util.regex.Pattern;

/** A name at its position: of a definition, of a field, of an action's subject. */
public record NameNode(String text, NodeOrigin origin) implements Node {
  private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]*");

  public NameNode {
    if (text.length() > SyntaxBounds.IDENTIFIER || !IDENTIFIER.matcher(text).matches()) {
      throw KernelException.invalidValue("name", "a name of a-z, 0-9 and _", text);
    }
  }

  public static NameNode of(String text) {
    return new NameNode(text, NodeOrigin.NONE);
  }
}
