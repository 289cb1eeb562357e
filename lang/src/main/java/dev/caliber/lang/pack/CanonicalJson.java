package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.pack.Pack;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.AstJson;

/** Canonical JSON of the composer's results: equal values give equal bytes. */
final class CanonicalJson {
  private CanonicalJson() {}

  static String text(Pack pack) {
    return Json.text(pack);
  }

  static String text(CompiledConfig config) {
    return Json.text(config);
  }

  static String text(Ast ast) {
    return AstJson.text(ast);
  }
}
