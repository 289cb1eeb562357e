package dev.caliber.app;

import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.command.RecallResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber recall}. */
@Command(
    name = "recall",
    header = "Find notes, turns and artifacts that answer a question.",
    description = {
      "Searches by words and by meaning, and finds everything remembered before the call. Loading"
          + " the embedding model takes most of the time of a call; --lexical searches without it.",
      "The table cuts long texts; --json prints them whole."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber recall \"Where does she like to sit?\" --subject alice",
      "  caliber recall \"deploy\" --type fact,procedure --max-tokens 500 --json",
      "  caliber recall \"Which office?\" --as-of 2026-03-01",
    })
final class RecallCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "QUERY", description = "A question, or words.")
  private String query = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "The maximum number of hits. Default: command.recall.default-limit of the configuration.")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description =
          "The maximum number of tokens of all hits together; a hit that does not fit is left out"
              + " whole.")
  private Optional<Integer> maxTokens = Optional.empty();

  @Option(
      names = "--min-similarity",
      paramLabel = "S",
      description = "Leave out hits with a lower similarity than this, from 0 to 1.")
  private Optional<Double> minSimilarity = Optional.empty();

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description =
          "Only what was believed at this time: a date, or a time with its offset. Searches by"
              + " words.")
  private Optional<String> asOf = Optional.empty();

  @Option(
      names = "--lexical",
      description =
          "Search by words alone, without the embedding model. Refused while a server holds the"
              + " store: it always searches by both.")
  private boolean words;

  @Mixin private FilterOptions filter = new FilterOptions();

  RecallCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record RecallOutput(
      String method,
      Optional<String> degraded,
      int tokens,
      int omitted,
      List<RecallResult.RecallHit> hits,
      boolean partial,
      long unembedded,
      Optional<String> explanation) {
    RecallOutput withDegraded(Optional<String> reason) {
      return new RecallOutput(
          method, reason, tokens, omitted, hits, partial, unembedded, explanation);
    }
  }

  @Override
  public Integer call() {
    boolean meaning = !words && asOf.isEmpty();
    OperationInput input = input();
    try (StoreOperations operations =
        commandContext.operations(meaning ? StoreUse.WITH_EMBEDDING_MODEL : StoreUse.EXISTING)) {
      if (words && asOf.isEmpty() && operations.isRemote()) {
        throw AppException.wordsOnlyNotSupported();
      }
      Optional<String> lacking = meaning ? operations.embedBacklog() : Optional.empty();
      RecallOutput found = operations.call("recall", input, RecallOutput.class);
      RecallOutput output = found.withDegraded(lacking);
      commandContext.output().printResult(output, () -> print(output));
    }
    return ExitCode.OK.number();
  }

  private OperationInput input() {
    OperationInput input =
        OperationInput.of("query", query)
            .with(
                "limit",
                limit.orElseGet(() -> commandContext.configs().command().recall().defaultLimit()))
            .with("max_tokens", maxTokens)
            .with("as_of", asOf.map(text -> TimeParser.parse("--as-of", text)))
            .with("min_similarity", minSimilarity);
    filter.addTo(input);
    return input;
  }

  private void print(RecallOutput recallOutput) {
    Terminal terminal = commandContext.terminal();
    recallOutput.explanation().ifPresent(terminal::printNote);
    if (!recallOutput.hits().isEmpty()) {
      table(recallOutput).print(terminal);
      terminal.printNote(
          terminal.faint(
              "%d hits by %s, %,d tokens"
                  .formatted(
                      recallOutput.hits().size(), recallOutput.method(), recallOutput.tokens())));
    }
    if (recallOutput.omitted() > 0) {
      terminal.printNote(
          "%d more hits did not fit into --max-tokens.".formatted(recallOutput.omitted()));
    }
    if (recallOutput.partial()) {
      terminal.printNote(
          terminal.warning(
              "Older records were not read: more than memory.recall.scan-candidates of one type match."
                  + " Narrow the question."));
    }
    if (recallOutput.unembedded() > 0) {
      terminal.printNote(
          terminal.warning(
              "%,d records have no vector yet and were compared by their words only."
                  .formatted(recallOutput.unembedded())));
    }
    recallOutput.degraded().ifPresent(reason -> terminal.printNote(terminal.warning(reason)));
  }

  private static TextTable table(RecallOutput recallOutput) {
    TextTable table = TextTable.of("SIMILARITY", "KIND", "TIME", "ID", "TEXT");
    for (RecallResult.RecallHit recallHit : recallOutput.hits()) {
      table.addRow(
          String.format(Locale.ROOT, "%.3f", recallHit.similarity()),
          recallHit.kind().lowerCaseName(),
          Timestamps.format(recallHit.createdAt()),
          recallHit.id().toString(),
          TextTable.toCell(recallHit.text()));
    }
    return table;
  }
}
