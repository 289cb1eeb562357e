package dev.caliber.lang.pack.check;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.pack.manifest.JsonPointerSpans;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackBounds;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.ParsedPack;
import dev.caliber.lang.pack.manifest.ToolContract;
import tools.jackson.core.JacksonException;

/** Checks that a contract is a JSON Schema, for results in JSON. */
final class ToolContractCheck implements PackCheck {
  private static final Span START = new Span(1, 1, 1, 1);
  private static final String SUGGESTION = "write a self-contained JSON Schema of draft 2020-12";

  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var tools = parsedPack.section(Manifest.TOOLS).values();
    tools.forEach(tool -> checkResultFormat(tool.table(), packDiagnostics.inManifest()));
    tools.stream()
        .flatMap(tool -> tool.table().text("contract").stream())
        .map(TextNode::value)
        .filter(parsedPack.source()::has)
        .distinct()
        .forEach(path -> check(path, parsedPack.source(), packDiagnostics.inFile(path)));
  }

  private static void checkResultFormat(ManifestTable tool, Diagnostics diagnostics) {
    var json = Keywords.word(PackTool.ResultFormat.JSON);
    tool.text("contract")
        .filter(_ -> !tool.text("result_format").map(TextNode::value).orElse("").equals(json))
        .ifPresent(
            contract ->
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_SETTINGS,
                    contract.span(),
                    "a contract for results that are not JSON",
                    "write result_format = \"json\", or remove the contract"));
  }

  private static void check(String path, PackSource source, Diagnostics diagnostics) {
    if (source.size(path) > PackBounds.CONFIGURATION) {
      diagnostics.report(
          DiagnosticCode.SOURCE_TOO_LARGE,
          START,
          "a contract of " + source.size(path) + " bytes",
          "at most " + PackBounds.CONFIGURATION + " bytes");
    } else {
      check(source.text(path).orElse(""), diagnostics);
    }
  }

  private static void check(String text, Diagnostics diagnostics) {
    try {
      var places = new JsonPointerSpans(text);
      ToolContract.faults(Json.mapper().readTree(text))
          .forEach(
              schemaFault ->
                  report(places.spanOf(schemaFault.pointer()), schemaFault.message(), diagnostics));
    } catch (JacksonException e) {
      report(place(e, text), "this is not JSON, or nested too deep", diagnostics);
    }
  }

  private static Span place(JacksonException e, String text) {
    var location = e.getLocation();
    int offset = location == null ? 0 : Math.clamp(location.getCharOffset(), 0, text.length());
    return new SourceSpanLocator(text).span(offset, offset);
  }

  private static void report(Span place, String message, Diagnostics diagnostics) {
    diagnostics.report(DiagnosticCode.INVALID_CONTRACT, place, message, SUGGESTION);
  }
}
