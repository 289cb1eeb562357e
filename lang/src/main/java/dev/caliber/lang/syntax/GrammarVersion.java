package dev.caliber.lang.syntax;

import java.util.List;

/** The versions of the grammar, which are the language's own and not the product's. */
public final class GrammarVersion {
  /** The version that is written. */
  public static final String CURRENT = "0.1.0";

  /** All versions that are read. */
  public static final List<String> SUPPORTED = List.of(CURRENT);

  private GrammarVersion() {}
}
