package dev.caliber.app;

import dev.caliber.memory.context.AnswerAnnotation;
import dev.caliber.memory.context.AnswerAnnotation.AnswerClaim;
import dev.caliber.memory.context.AnswerAnnotation.CitedRecord;
import dev.caliber.memory.context.AnswerAnnotation.ClaimSupport;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber annotate}. */
@Command(
    name = "annotate",
    header = "Check a model's answer against its context window.",
    description = {
      "Shows for each sentence of the answer what supports it. cited: [n] refers to line n of the"
          + " window's ledger, shown with its record. miscited: it cites a number that the window"
          + " does not have. inferred: it cites nothing, but a record of the window contains its"
          + " words (context.claim-word-overlap). uncited: it cites nothing, and no record contains its"
          + " words.",
      "Also lists what the answer marks as [INFERENCE], its warning lines, and notes of the window"
          + " that contradict each other. Exit code 1 if the answer cites a number that the window"
          + " does not have, otherwise 0.",
      "The answer is UTF-8 text of at most memory.limits.turn. The table cuts long sentences;"
          + " --json prints them whole."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber annotate 01JD0000000000000000000000 answer.txt",
      "  echo \"She likes window seats [2].\" | caliber annotate 01JD0000000000000000000000",
      "  caliber annotate 01JD0000000000000000000000 - --json < answer.txt",
    })
final class AnnotateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      index = "0",
      paramLabel = "WINDOW",
      description = "The window's id; 'caliber windows' lists them.")
  private String window = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file with the answer. Without it, or with -: the standard input.")
  private String file = SourceFile.STANDARD_INPUT;

  AnnotateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() throws IOException {
    OperationInput input =
        OperationInput.of("id", RecordIdParser.parseWindow(window))
            .with("answer", SourceFile.read(commandContext, file).text());
    AnswerAnnotation annotation =
        commandContext.call("annotate_window", input, AnswerAnnotation.class);
    commandContext.output().printResult(annotation, () -> print(annotation));
    return (annotation.fabricated().isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private void print(AnswerAnnotation annotation) {
    Terminal terminal = commandContext.terminal();
    TextTable claims = TextTable.of("SUPPORT", "CLAIM", "SOURCES");
    annotation
        .claims()
        .forEach(
            answerClaim ->
                claims.addRow(
                    lowerCaseName(answerClaim.standing()),
                    TextTable.toCell(answerClaim.text()),
                    sources(answerClaim)));
    TextTable marks = marksTable(annotation);
    if (!claims.isEmpty()) {
      claims.print(terminal);
    }
    if (!marks.isEmpty()) {
      terminal.printLine("");
      marks.print(terminal);
    }
    terminal.printNote(
        "%,d claims: %s".formatted(annotation.claims().size(), countsText(annotation)));
  }

  private static String sources(AnswerClaim answerClaim) {
    return Stream.concat(
            answerClaim.sources().stream().map(AnnotateCommand::sourceLabel),
            answerClaim.unknown().stream().map("[%d] does not exist in the window"::formatted))
        .collect(Collectors.joining(", "));
  }

  private static String sourceLabel(CitedRecord citedRecord) {
    return "[%d] %s %s"
        .formatted(citedRecord.number(), citedRecord.kind().lowerCaseName(), citedRecord.id());
  }

  /** Builds the table of findings that belong to no sentence: marks, warnings, contradictions. */
  private static TextTable marksTable(AnswerAnnotation annotation) {
    TextTable marks = TextTable.of("KIND", "TEXT");
    annotation.inferences().forEach(text -> marks.addRow("inference", TextTable.toCell(text)));
    annotation.warnings().forEach(text -> marks.addRow("warning", TextTable.toCell(text)));
    annotation
        .conflicts()
        .forEach(
            pair ->
                marks.addRow(
                    "conflict",
                    "%s contradicts %s"
                        .formatted(sourceLabel(pair.one()), sourceLabel(pair.other()))));
    return marks;
  }

  private static String countsText(AnswerAnnotation annotation) {
    return Stream.of(ClaimSupport.values())
        .map(
            claimSupport ->
                "%,d %s"
                    .formatted(
                        annotation.claims().stream()
                            .filter(answerClaim -> answerClaim.standing() == claimSupport)
                            .count(),
                        lowerCaseName(claimSupport)))
        .collect(Collectors.joining(", "));
  }

  private static String lowerCaseName(ClaimSupport claimSupport) {
    return claimSupport.name().toLowerCase(Locale.ROOT);
  }
}
