package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.context.Annotation;
import dev.caliber.memory.context.Annotation.Claim;
import dev.caliber.memory.context.Annotation.Source;
import dev.caliber.memory.context.Annotation.Standing;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber annotate}. */
@Command(
    name = "annotate",
    header = "Hold a model's answer against the window that it was given.",
    description = {
      "Says of each sentence of the answer what stands behind it. cited: [n] is line n of the"
          + " window's ledger, named with its record. miscited: it cites a number that the window has"
          + " not. inferred: it cites nothing, but a record of the window has its words"
          + " (context.support). uncited: it cites nothing, and none has.",
      "Also lists what the answer marks as [INFERENCE], its lines that warn, and notes of the window"
          + " that contradict each other. Exit code 1 if a citation is made up; all else leaves it 0.",
      "The answer is UTF-8 text, at most memory.limits.turn. The table cuts long sentences; --json"
          + " has them whole."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber annotate 01JD0000000000000000000000 answer.txt",
      "  echo \"She likes window seats [2].\" | caliber annotate 01JD0000000000000000000000",
      "  caliber annotate 01JD0000000000000000000000 - --json < answer.txt",
    })
final class AnnotateCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      index = "0",
      paramLabel = "WINDOW",
      description = "The window's id; 'caliber windows' lists them.")
  private String window = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The answer. Without it, or with -: the standard input.")
  private String file = SourceFile.STANDARD_INPUT;

  AnnotateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() throws IOException {
    Id id = OpenContext.window(window);
    String answer = SourceFile.read(workbench, file).text();
    Annotation told = workbench.ask(remote -> ask(remote, id, answer), () -> read(id, answer));
    workbench.output().result(told, () -> print(told));
    return (told.fabricated().isEmpty() ? ExitCode.OK : ExitCode.FAILED).number();
  }

  private static Annotation ask(Remote remote, Id id, String answer) {
    ObjectNode input = Remote.input().put("answer", answer);
    return remote.post("/windows/%s/annotate".formatted(id), input, Annotation.class);
  }

  private Annotation read(Id id, String answer) {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.assembler().annotate(space, context.assembler().window(space, id), answer);
    }
  }

  private void print(Annotation told) {
    Terminal terminal = workbench.terminal();
    TextTable claims = TextTable.of("STANDING", "CLAIM", "SOURCES");
    told.claims()
        .forEach(
            claim ->
                claims.row(word(claim.standing()), TextTable.cut(claim.text()), sources(claim)));
    TextTable marks = marks(told);
    if (!claims.isEmpty()) {
      claims.print(terminal);
    }
    if (!marks.isEmpty()) {
      terminal.line("");
      marks.print(terminal);
    }
    terminal.note("%,d claims: %s".formatted(told.claims().size(), counts(told)));
  }

  private static String sources(Claim claim) {
    return Stream.concat(
            claim.sources().stream().map(AnnotateCommand::named),
            claim.unknown().stream().map("[%d] is made up"::formatted))
        .collect(Collectors.joining(", "));
  }

  private static String named(Source source) {
    return "[%d] %s %s".formatted(source.number(), source.kind().word(), source.id());
  }

  /** What is said of the answer beside its claims. */
  private static TextTable marks(Annotation told) {
    TextTable marks = TextTable.of("MARK", "TEXT");
    told.inferences().forEach(text -> marks.row("inference", TextTable.cut(text)));
    told.warnings().forEach(text -> marks.row("warning", TextTable.cut(text)));
    told.conflicts()
        .forEach(
            pair ->
                marks.row(
                    "conflict",
                    "%s contradicts %s".formatted(named(pair.one()), named(pair.other()))));
    return marks;
  }

  private static String counts(Annotation told) {
    return Stream.of(Standing.values())
        .map(
            standing ->
                "%,d %s"
                    .formatted(
                        told.claims().stream()
                            .filter(claim -> claim.standing() == standing)
                            .count(),
                        word(standing)))
        .collect(Collectors.joining(", "));
  }

  private static String word(Standing standing) {
    return standing.name().toLowerCase(Locale.ROOT);
  }
}
