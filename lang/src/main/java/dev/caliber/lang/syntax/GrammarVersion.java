package dev.caliber.lang.syntax;

import java.util.List;

/** Versions of the grammar, which are independent of the product's versions. */
public final class GrammarVersion {
  /** The version that the formatter writes. */
  public static final String CURRENT = "0.1.0";

  /** All versions that can be read. */
  public static final List<String> SUPPORTED = List.of(CURRENT);

  private GrammarVersion() {}
}
