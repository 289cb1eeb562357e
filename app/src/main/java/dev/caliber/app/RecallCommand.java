package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

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
      Optional<String> explanation) {}

  @Override
  public Integer call() {
    SpaceId space = commandContext.space();
    Optional<Instant> time = asOf.map(text -> TimeParser.parse("--as-of", text));
    boolean meaning = !words && time.isEmpty();
    Optional<ServerClient> server = commandContext.runningServer();
    if (server.isPresent()) {
      try (ServerClient serverClient = server.get()) {
        RecallOutput recallOutput = askServer(serverClient, time);
        commandContext.output().printResult(recallOutput, () -> print(recallOutput));
      }
      return ExitCode.OK.number();
    }
    try (OpenIndex search = openIndex(meaning)) {
      Memory memory = MemoryFactory.create(search);
      Optional<String> lacking = meaning ? embedBacklog(search, space) : Optional.empty();
      RecallResult found = memory.recall(space, recallQuery(memory, space, time));
      RecallOutput recallOutput =
          new RecallOutput(
              found.describeMethod(hasEmbedder(search)),
              lacking,
              found.tokens(),
              found.omitted(),
              found.hits(),
              found.partial(),
              found.unembedded(),
              found.explanation());
      commandContext.output().printResult(recallOutput, () -> print(recallOutput));
    }
    return ExitCode.OK.number();
  }

  private RecallOutput askServer(ServerClient serverClient, Optional<Instant> time) {
    if (words && time.isEmpty()) {
      throw AppException.wordsOnlyNotSupported();
    }
    ObjectNode input = ServerClient.newInput().put("query", query);
    input.put(
        "limit", limit.orElseGet(() -> commandContext.configs().command().recall().defaultLimit()));
    ServerClient.putIfPresent(input, "max_tokens", maxTokens);
    ServerClient.putIfPresent(input, "as_of", time);
    minSimilarity.ifPresent(least -> input.put("min_similarity", least));
    filter.addTo(input);
    return serverClient.post("/recall", input, RecallOutput.class);
  }

  private OpenIndex openIndex(boolean meaning) {
    if (!meaning) {
      return OpenIndex.withoutModels(commandContext);
    }
    try (ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      bar.showMessage("Loading the embedding model…");
      return OpenIndex.withModels(commandContext);
    }
  }

  private static boolean hasEmbedder(OpenIndex search) {
    return search.models().flatMap(models -> models.embedder()).isPresent();
  }

  /** Embeds waiting texts if there are few; returns a message if there are too many. */
  private Optional<String> embedBacklog(OpenIndex search, SpaceId space) {
    search.awaitIndexed(space);
    long backlog = search.index().status(space).backlog();
    if (backlog > commandContext.configs().command().recall().embeddingLimit()) {
      return Optional.of(
          "Texts without a vector: %,d. Run 'caliber index embed' to find them by meaning"
              .formatted(backlog));
    }
    try (ProgressBar bar = ProgressBar.forTerminal(commandContext.terminal())) {
      search.index().embedPending(space, bar);
      return Optional.empty();
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
      return Optional.of("Not every text has a vector: " + e.getMessage());
    }
  }

  private RecallQuery recallQuery(Memory memory, SpaceId space, Optional<Instant> time) {
    return new RecallQuery(
        query,
        limit.orElseGet(() -> commandContext.configs().command().recall().defaultLimit()),
        maxTokens,
        filter.recallFilterWithoutSubject(memory, space),
        time,
        minSimilarity,
        filter.subjectScope());
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
