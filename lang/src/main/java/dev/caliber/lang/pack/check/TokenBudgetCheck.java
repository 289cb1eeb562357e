package dev.caliber.lang.pack.check;

import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.ManifestTable;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that an injection fits into the largest context of the pack. */
final class TokenBudgetCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    largest(parsedPack)
        .ifPresent(
            largest ->
                parsedPack.section(Manifest.INJECTIONS).values().stream()
                    .flatMap(injection -> injection.table().number("max_tokens").stream())
                    .filter(tokens -> tokens.value().compareTo(largest) > 0)
                    .forEach(tokens -> report(tokens, largest, packDiagnostics)));
  }

  private static Optional<BigDecimal> largest(ParsedPack parsedPack) {
    var agents =
        parsedPack.section(Manifest.AGENTS).values().stream().map(ManifestTable.NamedTable::table);
    return parsedPack
        .defaults()
        .number("token_budget")
        .flatMap(
            budget ->
                Stream.concat(
                        Stream.of(budget),
                        agents.flatMap(agent -> agent.number("token_budget").stream()))
                    .map(NumberNode::value)
                    .max(Comparator.naturalOrder()));
  }

  private static void report(
      NumberNode tokens, BigDecimal largest, PackDiagnostics packDiagnostics) {
    packDiagnostics
        .inManifest()
        .report(
            DiagnosticCode.BUDGET_EXCEEDED,
            tokens.span(),
            "an injection of "
                + tokens.value().toPlainString()
                + " tokens, and the largest budget is "
                + largest.toPlainString(),
            "write at most " + largest.toPlainString() + ", or raise the budget");
  }
}
