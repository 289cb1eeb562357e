package dev.caliber.app;

import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.pcp.ValidatedWindow;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber assemble}. */
@Command(
    name = "assemble",
    header = "Compose the context for the next model call, within a token budget.",
    description = {
      "Prints the window's text to the standard output, and its id and size to the standard error;"
          + " --json prints both as one object. 'caliber explain' says why each item is in or out."
          + " With pcp.validation = \"always\" it also lists problems of the window's sources.",
      "--query finds relevant records by words and by meaning. --lexical searches without the"
          + " embedding model, whose loading takes most of the time of a call.",
      "With --format trust the window is a prompt of two messages: the rules of trust"
          + " (context.trust.rules), and every item as data with its class, its trust level and"
          + " cautions. The metadata entry 'source' of a record sets its class: code, rfc,"
          + " documentation, paper, best_practice, tutorial, stack_overflow or blog_post;"
          + " everything else is history.",
      "--as-of composes the window as of that time: the same time gives the same bytes, even after"
          + " a crash, unless --query finds records that were written since."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber assemble thread-7 --query \"Where does she like to sit?\" --max-tokens 1000",
      "  caliber assemble thread-7 --model gpt-4o --format openai > messages.json",
      "  caliber assemble thread-7 --query \"Is it open?\" --format trust > messages.json",
      "  caliber assemble thread-7 --as-of 2026-03-01T09:30:00Z --dry-run",
      "  caliber assemble thread-7 --ttl 30d",
      "  caliber assemble thread-7 --dry-run --json",
    })
final class AssembleCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description = "The topic of the next answer. Default: the newest records.")
  private Optional<String> query = Optional.empty();

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description =
          "The token budget, at most context.token-budget. Default: context.token-budget.")
  private Optional<Integer> budget = Optional.empty();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description =
          "Count tokens as this model does (models.tokens). Without it, and for an unknown model:"
              + " an estimate with a margin.")
  private Optional<String> model = Optional.empty();

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      description = "Count tokens with this tokenizer, such as o200k_base, whatever the model.")
  private Optional<String> tokenizer = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description =
          "The output format: xml, markdown, openai, anthropic or trust (each item with its trust"
              + " level). Default: context.format.")
  private Optional<ContextFormat> format = Optional.empty();

  @Option(
      names = "--lexical",
      description =
          "Search by words alone, without the embedding model. Refused with --query while a server"
              + " holds the store: it always searches by both.")
  private boolean words;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description = "Compose from memory as of this time: a date, or a time with its offset.")
  private Optional<String> asOf = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description =
          "The subject that the window is for; refused if the session belongs to another subject.")
  private Optional<String> subject = Optional.empty();

  @Mixin private WindowPersistenceOptions keep = new WindowPersistenceOptions();

  @Option(names = "--dry-run", description = "Do not store the window or a trace.")
  private boolean dryRun;

  @Option(
      names = "--apply-limits",
      description =
          "Apply the limits of pcp.window-limits to the window: tokens, scopes, artifacts, notes.")
  private boolean dosed;

  AssembleCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    requireConsistentOptions();
    keep.requireConsistent();
    boolean meaning = query.isPresent() && !words;
    OperationInput input = input();
    try (StoreOperations operations =
        commandContext.operations(meaning ? StoreUse.WITH_EMBEDDING_MODEL : StoreUse.EXISTING)) {
      if (words && query.isPresent() && operations.isRemote()) {
        throw AppException.wordsOnlyNotSupported();
      }
      ValidatedWindow made =
          operations.call(
              "assemble_context",
              input.with("trajectory", trajectory.resolveId(operations)),
              ValidatedWindow.class);
      commandContext.output().printResult(made, () -> print(made));
    }
    return ExitCode.OK.number();
  }

  private OperationInput input() {
    OperationInput input =
        OperationInput.of("dry_run", dryRun)
            .with("dosed", dosed)
            .with("query", query)
            .with("max_tokens", budget)
            .with("model", model)
            .with("tokenizer", tokenizer)
            .with("format", format)
            .with("as_of", asOf.map(text -> TimeParser.parse("--as-of", text)))
            .with("subject", subject);
    keep.addTo(input);
    return input;
  }

  private void requireConsistentOptions() {
    if (dryRun && !keep.isEmpty()) {
      throw AppException.conflictingOptions(
          "--dry-run cannot be combined with --persistence or --ttl: it stores no window",
          "Leave out one of them.");
    }
  }

  private String windowName(Window window) {
    return dryRun ? "Dry run" : keep.isEphemeral() ? "Not stored" : "Window " + window.id();
  }

  private void print(ValidatedWindow made) {
    Window window = made.window();
    commandContext.terminal().printLine(made.text().stripTrailing());
    commandContext
        .terminal()
        .printNote(
            "%s: %,d of %,d tokens (counter: %s), %d of %d candidates%s"
                .formatted(
                    windowName(window),
                    window.usedTokens(),
                    window.maxTokens(),
                    window.recipe().counter(),
                    window.ledger().stream().filter(line -> line.decision().isIncluded()).count(),
                    window.ledger().size(),
                    window.inputs().degraded().map(reason -> "; " + reason).orElse("")));
    made.report()
        .ifPresent(
            validationReport ->
                IssuePrinter.printNotes(validationReport.issues(), commandContext.terminal()));
  }
}
