package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.pack.PackTool;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SourcePlaces;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.syntax.Keywords;
import dev.caliber.lang.syntax.Text;
import tools.jackson.core.JacksonException;

/** A contract is a JSON Schema, for results that are JSON. */
final class Contracts implements PackCheck {
  private static final Span START = new Span(1, 1, 1, 1);
  private static final String SUGGESTION =
      "write a JSON Schema of the draft 2020-12 that stands alone";

  @Override
  public void run(Document document, Findings findings) {
    var tools = document.section(Manifest.TOOLS).values();
    tools.forEach(tool -> resultFormat(tool.table(), findings.inManifest()));
    tools.stream()
        .flatMap(tool -> tool.table().text("contract").stream())
        .map(Text::value)
        .filter(document.source()::has)
        .distinct()
        .forEach(path -> check(path, document.source(), findings.in(path)));
  }

  private static void resultFormat(Table tool, Diagnostics diagnostics) {
    var json = Keywords.word(PackTool.ResultFormat.JSON);
    tool.text("contract")
        .filter(_ -> !tool.text("result_format").map(Text::value).orElse("").equals(json))
        .ifPresent(
            contract ->
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_SETTINGS,
                    contract.span(),
                    "a contract for results that are not JSON",
                    "write result_format = \"json\", or leave the contract out"));
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
      var places = new JsonPlaces(text);
      Contract.faults(Json.mapper().readTree(text))
          .forEach(fault -> report(places.of(fault.pointer()), fault.message(), diagnostics));
    } catch (JacksonException e) {
      report(place(e, text), "this is not JSON, or nested too deep", diagnostics);
    }
  }

  private static Span place(JacksonException e, String text) {
    var location = e.getLocation();
    int offset = location == null ? 0 : Math.clamp(location.getCharOffset(), 0, text.length());
    return new SourcePlaces(text).span(offset, offset);
  }

  private static void report(Span place, String message, Diagnostics diagnostics) {
    diagnostics.report(DiagnosticCode.INVALID_CONTRACT, place, message, SUGGESTION);
  }
}
