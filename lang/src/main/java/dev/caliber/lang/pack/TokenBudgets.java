package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.syntax.NumberNode;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** An injection fits into the largest context of the pack. */
final class TokenBudgets implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    largest(document)
        .ifPresent(
            largest ->
                document.section(Manifest.INJECTIONS).values().stream()
                    .flatMap(injection -> injection.table().number("max_tokens").stream())
                    .filter(tokens -> tokens.value().compareTo(largest) > 0)
                    .forEach(tokens -> report(tokens, largest, findings)));
  }

  private static Optional<BigDecimal> largest(Document document) {
    var agents = document.section(Manifest.AGENTS).values().stream().map(Table.Entry::table);
    return document
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

  private static void report(NumberNode tokens, BigDecimal largest, Findings findings) {
    findings
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
