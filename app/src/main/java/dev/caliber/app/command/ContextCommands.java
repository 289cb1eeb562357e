package dev.caliber.app.command;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.FilterOptions;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.RecordIdParser;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.SourceFile;
import dev.caliber.app.shell.StoreUse;
import dev.caliber.app.shell.Terminal;
import dev.caliber.app.shell.TextTable;
import dev.caliber.app.shell.TimeParser;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.memory.context.window.AnswerAnnotation;
import dev.caliber.memory.context.window.AnswerAnnotation.AnswerClaim;
import dev.caliber.memory.context.window.AnswerAnnotation.CitedRecord;
import dev.caliber.memory.context.window.AnswerAnnotation.ClaimSupport;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.pcp.ValidatedWindow;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands {@code caliber assemble} and {@code caliber annotate}. */
public record ContextCommands(CommandContext commandContext) {

  /** Values of {@code --persistence}. */
  private enum PersistenceKeyword {
    EPHEMERAL,
    PERMANENT
  }

  public CommandLine assemble() {
    OperationCommand command =
        OperationCommand.named(
                commandContext,
                "assemble",
                "Compose the context for the next model call, within a token budget.")
            .description(
                "Prints the window's text to the standard output, and its id and size to the"
                    + " standard error; --json prints both as one object. 'caliber explain' says"
                    + " why each item is in or out. With pcp.validation = \"always\" it also lists"
                    + " problems of the window's sources.",
                "--query finds relevant records by words and by meaning. --lexical searches without"
                    + " the embedding model, whose loading takes most of the time of a call.",
                "With --format trust the window is a prompt of two messages: the rules of trust"
                    + " (context.trust.rules), and every item as data with its class, its trust"
                    + " level and cautions. The metadata entry 'source' of a record sets its class:"
                    + " code, rfc, documentation, paper, best_practice, tutorial, stack_overflow or"
                    + " blog_post; everything else is history.",
                "--as-of composes the window as of that time: the same time gives the same bytes,"
                    + " even after a crash, unless --query finds records that were written since.")
            .examples(
                "  caliber assemble thread-7 --query \"Where does she like to sit?\" --max-tokens"
                    + " 1000",
                "  caliber assemble thread-7 --model gpt-4o --format openai > messages.json",
                "  caliber assemble thread-7 --query \"Is it open?\" --format trust >"
                    + " messages.json",
                "  caliber assemble thread-7 --as-of 2026-03-01T09:30:00Z --dry-run",
                "  caliber assemble thread-7 --ttl 30d",
                "  caliber assemble thread-7 --dry-run --json")
            .trajectory("trajectory");
    return withStorageOptions(withContentOptions(command))
        .using(ContextCommands::storeUse)
        .runs(
            (operations, input) -> {
              ValidatedWindow made =
                  operations.call("assemble_context", input, ValidatedWindow.class);
              commandContext.output().printResult(made, () -> print(made, input));
              return ExitCode.OK;
            });
  }

  private static OperationCommand withContentOptions(OperationCommand command) {
    return command
        .option(
            "--query",
            "TEXT",
            "query",
            "The topic of the next answer. Default: the newest records.")
        .option(
            "--max-tokens",
            "N",
            "max_tokens",
            Integer.class,
            "The token budget, at most context.token-budget. Default: context.token-budget.")
        .option(
            "--model",
            "NAME",
            "model",
            "Count tokens as this model does (models.tokens). Without it, and for an unknown model:"
                + " an estimate with a margin.")
        .option(
            "--tokenizer",
            "NAME",
            "tokenizer",
            "Count tokens with this tokenizer, such as o200k_base, whatever the model.")
        .option(
            "--format",
            "NAME",
            "format",
            ContextFormat.class,
            "The output format: xml, markdown, openai, anthropic or trust (each item with its trust"
                + " level). Default: context.format.")
        .flag(
            "--lexical",
            "lexical",
            "Search by words alone, without the embedding model. Refused with --query while a"
                + " server holds the store: it always searches by both.")
        .option(
            "--as-of",
            "TIME",
            "as_of",
            text -> TimeParser.parse("--as-of", text),
            "Compose from memory as of this time: a date, or a time with its offset.")
        .option(
            "--subject",
            "NAME",
            "subject",
            "The subject that the window is for; refused if the session belongs to another"
                + " subject.");
  }

  private static OperationCommand withStorageOptions(OperationCommand command) {
    return command
        .option(
            "--persistence",
            "HOW",
            "keep",
            PersistenceKeyword.class,
            "permanent or ephemeral (not stored). Default without --ttl: context.persistence.")
        .option(
            "--ttl",
            "TIME",
            "ttl",
            ContextCommands::checkedDuration,
            "Keep the window for this time, such as 2h or 30d.")
        .flag("--dry-run", "dry_run", "Do not store the window or a trace.")
        .flag(
            "--apply-limits",
            "dosed",
            "Apply the limits of pcp.window-limits to the window: tokens, scopes, artifacts,"
                + " notes.");
  }

  private static String checkedDuration(String text) {
    try {
      WindowPersistence _ = WindowPersistence.forDuration("--ttl", text);
      return text;
    } catch (CaliberException e) {
      throw AppException.usage(e.message(), "As in 90m, 2h or 30d.");
    }
  }

  private static StoreUse storeUse(OperationInput input) {
    if (input.isSet("dry_run") && (input.has("keep") || input.has("ttl"))) {
      throw AppException.conflictingOptions(
          "--dry-run cannot be combined with --persistence or --ttl: it stores no window",
          "Leave out one of them.");
    }
    if (input.has("keep") && input.has("ttl")) {
      throw AppException.conflictingOptions(
          "--persistence cannot be combined with --ttl: both set how long the window is kept",
          "Leave out one of them.");
    }
    boolean words = input.takeFlag("lexical");
    return input.has("query") ? StoreUse.ofSearch(words) : StoreUse.EXISTING;
  }

  private static String windowName(Window window, OperationInput input) {
    return input.isSet("dry_run")
        ? "Dry run"
        : input.json().path("keep").asString("").equals(PersistenceKeyword.EPHEMERAL.name())
            ? "Not stored"
            : "Window " + window.id();
  }

  private void print(ValidatedWindow made, OperationInput input) {
    Terminal terminal = commandContext.terminal();
    Window window = made.window();
    terminal.printLine(made.text().stripTrailing());
    terminal.printNote(
        "%s: %,d of %,d tokens (counter: %s), %d of %d candidates%s"
            .formatted(
                windowName(window, input),
                window.usedTokens(),
                window.maxTokens(),
                window.recipe().counter(),
                window.ledger().stream().filter(line -> line.decision().isIncluded()).count(),
                window.ledger().size(),
                window.inputs().degraded().map(reason -> "; " + reason).orElse("")));
    made.report().stream()
        .flatMap(report -> report.issues().stream())
        .forEach(
            issue ->
                terminal.printNote(
                    "%s: %s: %s"
                        .formatted(
                            FilterOptions.lowerCaseName(issue.severity()),
                            FilterOptions.lowerCaseName(issue.type()),
                            TextTable.toCell(issue.message()))));
  }

  public CommandLine annotate() {
    return OperationCommand.named(
            commandContext, "annotate", "Check a model's answer against its context window.")
        .description(
            "Shows for each sentence of the answer what supports it. cited: [n] refers to line n of"
                + " the window's ledger, shown with its record. miscited: it cites a number that"
                + " the window does not have. inferred: it cites nothing, but a record of the"
                + " window contains its words (context.claim-word-overlap). uncited: it cites"
                + " nothing, and no record contains its words.",
            "Also lists what the answer marks as [INFERENCE], its warning lines, and notes of the"
                + " window that contradict each other. Exit code 1 if the answer cites a number"
                + " that the window does not have, otherwise 0.",
            "The answer is UTF-8 text of at most memory.limits.turn. The table cuts long sentences;"
                + " --json prints them whole.")
        .examples(
            "  caliber annotate 01JD0000000000000000000000 answer.txt",
            "  echo \"She likes window seats [2].\" | caliber annotate 01JD0000000000000000000000",
            "  caliber annotate 01JD0000000000000000000000 - --json < answer.txt")
        .parameter(
            "WINDOW",
            "id",
            RecordIdParser::parseWindow,
            "The window's id; 'caliber windows' lists them.")
        .optionalParameter(
            "FILE",
            "answer",
            file -> SourceFile.content(commandContext, file),
            "The file with the answer. Without it, or with -: the standard input.")
        .using(
            input -> {
              if (!input.has("answer")) {
                input.with("answer", SourceFile.content(commandContext, SourceFile.STANDARD_INPUT));
              }
              return StoreUse.EXISTING;
            })
        .runs(
            (operations, input) -> {
              AnswerAnnotation annotation =
                  operations.call("annotate_window", input, AnswerAnnotation.class);
              commandContext.output().printResult(annotation, () -> print(annotation));
              return annotation.fabricated().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
            });
  }

  /** A finding that belongs to no sentence: a mark, a warning or a contradiction. */
  private record MarkRow(String kind, String text) {}

  private void print(AnswerAnnotation annotation) {
    Terminal terminal = commandContext.terminal();
    if (!annotation.claims().isEmpty()) {
      RecordTable.of(AnswerClaim.class)
          .column("SUPPORT", claim -> FilterOptions.lowerCaseName(claim.standing()))
          .text("CLAIM", AnswerClaim::text)
          .column("SOURCES", ContextCommands::sources)
          .print(annotation.claims(), terminal);
    }
    Stream<MarkRow> marks =
        Stream.of(
                annotation.inferences().stream().map(text -> new MarkRow("inference", text)),
                annotation.warnings().stream().map(text -> new MarkRow("warning", text)),
                annotation.conflicts().stream().map(ContextCommands::conflictRow))
            .flatMap(rows -> rows);
    printMarks(marks.toList(), terminal);
    terminal.printNote(
        "%,d claims: %s".formatted(annotation.claims().size(), countsText(annotation)));
  }

  private static void printMarks(List<MarkRow> marks, Terminal terminal) {
    if (!marks.isEmpty()) {
      terminal.printLine("");
      RecordTable.of(MarkRow.class)
          .column("KIND", MarkRow::kind)
          .text("TEXT", MarkRow::text)
          .print(marks, terminal);
    }
  }

  private static MarkRow conflictRow(AnswerAnnotation.ConflictingRecords pair) {
    return new MarkRow(
        "conflict",
        "%s contradicts %s".formatted(sourceLabel(pair.one()), sourceLabel(pair.other())));
  }

  private static String sources(AnswerClaim claim) {
    return Stream.concat(
            claim.sources().stream().map(ContextCommands::sourceLabel),
            claim.unknown().stream().map("[%d] does not exist in the window"::formatted))
        .collect(Collectors.joining(", "));
  }

  private static String sourceLabel(CitedRecord cited) {
    return "[%d] %s %s".formatted(cited.number(), cited.kind().lowerCaseName(), cited.id());
  }

  private static String countsText(AnswerAnnotation annotation) {
    return Stream.of(ClaimSupport.values())
        .map(
            support ->
                "%,d %s"
                    .formatted(
                        annotation.claims().stream()
                            .filter(claim -> claim.standing() == support)
                            .count(),
                        FilterOptions.lowerCaseName(support)))
        .collect(Collectors.joining(", "));
  }
}
