package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
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
      "Searches by words and by meaning, and sees everything that was remembered before the call."
          + " The embedding model that knows meaning is loaded for the call, which takes most of"
          + " its time; --words does without.",
      "The table cuts long texts; --json has them whole."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber recall \"Where does she like to sit?\" --subject alice",
      "  caliber recall \"deploy\" --type fact,procedure --max-tokens 500 --json",
      "  caliber recall \"Which office?\" --as-of 2026-03-01",
    })
final class RecallCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "QUERY", description = "A question, or words.")
  private String query = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The most hits. Without it: command.recall.limit of the configuration.")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description =
          "The most tokens of all hits together; one that does not fit is left out whole.")
  private Optional<Integer> maxTokens = Optional.empty();

  @Option(
      names = "--min-similarity",
      paramLabel = "S",
      description = "Leaves out what is less similar than this, from 0 to 1.")
  private Optional<Double> minSimilarity = Optional.empty();

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description =
          "What was believed at this time: a date, or a time with its offset. Found by words.")
  private Optional<String> asOf = Optional.empty();

  @Option(
      names = "--words",
      description =
          "By words alone, without the embedding model. Refused where a server holds the store: it"
              + " finds by both.")
  private boolean words;

  @Mixin private FilterOptions filter = new FilterOptions();

  RecallCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Recalled(
      String method,
      Optional<String> degraded,
      int tokens,
      int omitted,
      List<Recollection.Hit> hits,
      boolean partial,
      long unembedded) {}

  @Override
  public Integer call() {
    SpaceId space = workbench.space();
    Optional<Instant> time = asOf.map(text -> Moment.parse("--as-of", text));
    boolean meaning = !words && time.isEmpty();
    Optional<Remote> server = workbench.server();
    if (server.isPresent()) {
      try (Remote remote = server.get()) {
        Recalled recalled = ask(remote, time);
        workbench.output().result(recalled, () -> print(recalled));
      }
      return ExitCode.OK.number();
    }
    try (OpenSearch search = open(meaning)) {
      Memory memory = OpenMemory.over(search);
      Optional<String> lacking = meaning ? embed(search, space) : Optional.empty();
      Recollection found = memory.recall(space, query(memory, space, time));
      Recalled recalled =
          new Recalled(
              found.told(meaning(search)),
              lacking,
              found.tokens(),
              found.omitted(),
              found.hits(),
              found.partial(),
              found.unembedded());
      workbench.output().result(recalled, () -> print(recalled));
    }
    return ExitCode.OK.number();
  }

  private Recalled ask(Remote remote, Optional<Instant> time) {
    if (words && time.isEmpty()) {
      throw AppException.serverFindsByBoth();
    }
    ObjectNode input = Remote.input().put("query", query);
    input.put("limit", limit.orElseGet(() -> workbench.rooms().command().recall().limit()));
    Remote.put(input, "max_tokens", maxTokens);
    Remote.put(input, "as_of", time);
    minSimilarity.ifPresent(least -> input.put("min_similarity", least));
    filter.put(input);
    return remote.post("/recall", input, Recalled.class);
  }

  private OpenSearch open(boolean meaning) {
    if (!meaning) {
      return OpenSearch.of(workbench);
    }
    try (ProgressBar bar = ProgressBar.on(workbench.terminal())) {
      bar.say("Loading the embedding model…");
      return OpenSearch.withModels(workbench);
    }
  }

  private static boolean meaning(OpenSearch search) {
    return search.models().flatMap(models -> models.embedder()).isPresent();
  }

  /** Embeds what few texts wait; says so when there are too many for the time of a call. */
  private Optional<String> embed(OpenSearch search, SpaceId space) {
    search.settle(space);
    long backlog = search.index().status(space).backlog();
    if (backlog > workbench.rooms().command().recall().embeds()) {
      return Optional.of(
          "Texts without a vector: %,d. They are found by their words until 'caliber index embed'"
              .formatted(backlog));
    }
    try (ProgressBar bar = ProgressBar.on(workbench.terminal())) {
      search.index().embed(space, bar);
      return Optional.empty();
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
      return Optional.of("Not every text has a vector: " + e.getMessage());
    }
  }

  private RecallQuery query(Memory memory, SpaceId space, Optional<Instant> time) {
    return new RecallQuery(
        query,
        limit.orElseGet(() -> workbench.rooms().command().recall().limit()),
        maxTokens,
        filter.withoutSubject(memory, space),
        time,
        minSimilarity,
        filter.visible());
  }

  private void print(Recalled recalled) {
    Terminal terminal = workbench.terminal();
    if (recalled.hits().isEmpty()) {
      terminal.note("Nothing relevant was found, by %s.".formatted(recalled.method()));
    } else {
      table(recalled).print(terminal);
      terminal.note(
          terminal.faint(
              "%d hits by %s, %,d tokens"
                  .formatted(recalled.hits().size(), recalled.method(), recalled.tokens())));
    }
    if (recalled.omitted() > 0) {
      terminal.note("%d more did not fit into --max-tokens.".formatted(recalled.omitted()));
    }
    if (recalled.partial()) {
      terminal.note(
          terminal.warn(
              "Older records were not read: more than memory.recall.candidates of one kind fit."
                  + " Narrow the question."));
    }
    if (recalled.unembedded() > 0) {
      terminal.note(
          terminal.warn(
              "%,d records have no vector yet and were compared by their words only."
                  .formatted(recalled.unembedded())));
    }
    recalled.degraded().ifPresent(reason -> terminal.note(terminal.warn(reason)));
  }

  private static TextTable table(Recalled recalled) {
    TextTable table = TextTable.of("SIMILARITY", "KIND", "WHEN", "ID", "TEXT");
    for (Recollection.Hit hit : recalled.hits()) {
      table.row(
          String.format(Locale.ROOT, "%.3f", hit.similarity()),
          hit.kind().word(),
          Timestamps.format(hit.createdAt()),
          hit.id().toString(),
          TextTable.cut(hit.text()));
    }
    return table;
  }
}
