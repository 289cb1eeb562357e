package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnRole;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber remember}. */
@Command(
    name = "remember",
    header = "Remember a sentence as a note, or as a turn of a session.",
    description = {
      "Writes one note. With --session, appends a turn to that session instead; the first turn"
          + " starts the session. Creates the store if there is none. The note or turn is durable"
          + " when the command returns.",
      "The same note twice is stored once; a note that contradicts another is kept beside it, and"
          + " both name the conflict."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber remember \"I prefer window seats\" --subject alice",
      "  caliber remember \"The deploy runs on Tuesdays\" --entity deploy --type fact",
      "  caliber remember \"Where is my parcel?\" --session thread-7 --role user",
      "  cat answer.txt | caliber remember - --session thread-7 --role assistant",
    })
final class RememberCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "TEXT",
      description = "The text to remember; - reads the standard input.")
  private String text = "";

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description = "The person or thing that the memory belongs to.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--entity",
      paramLabel = "NAME",
      description = "The topic of the note. Default: the subject, else the space.")
  private Optional<String> about = Optional.empty();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "fact, preference, convention, strategy, gotcha, relationship, procedure or meta."
              + " Default: preference if it reads like one, else fact.")
  private Optional<String> type = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description =
          "Append it to this session as a turn, verbatim. Statements of a user in it become notes"
              + " (memory.notes.from-turns).")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "The speaker: user, assistant or system. Default: user.")
  private Optional<TurnRole> role = Optional.empty();

  RememberCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  /** A note that the new one contradicts. */
  private record ConflictingNoteOutput(Id id, String text) {}

  private record RememberedNoteOutput(Note note, List<ConflictingNoteOutput> conflicts) {}

  /** The answer: a note or a turn. */
  private record RememberAnswer(
      Optional<Note> note,
      Optional<Turn> turn,
      List<Note> notes,
      List<ConflictingNoteOutput> conflicts) {}

  @Override
  public Integer call() throws IOException {
    requireConsistentOptions();
    String words = SourceFile.argumentText(commandContext, text);
    OperationInput input =
        OperationInput.of("text", words)
            .with("subject", subject)
            .with("about", about)
            .with("type", type.map(FilterOptions::parseNoteType))
            .with("session", session)
            .with("role", role);
    try (StoreOperations operations = commandContext.operations(StoreUse.CREATED_IF_MISSING)) {
      RememberAnswer answer = operations.call("remember", input, RememberAnswer.class);
      answer.note().ifPresent(note -> printResult(note, answer.conflicts()));
      answer.turn().ifPresent(turn -> printResult(turn, answer.notes()));
    }
    return ExitCode.OK.number();
  }

  private void requireConsistentOptions() {
    if (session.isPresent() && (about.isPresent() || type.isPresent())) {
      throw AppException.conflictingOptions(
          "--entity and --type cannot be combined with --session: they are for notes, and --session"
              + " appends a turn",
          "Leave out one of them.");
    }
    if (role.isPresent() && session.isEmpty()) {
      throw AppException.conflictingOptions(
          "--role requires --session: it names the speaker of a turn", "Name the session.");
    }
    if (role.filter(TurnRole.TOOL::equals).isPresent()) {
      throw AppException.conflictingOptions(
          "--role tool cannot be used: a tool's result belongs to a call, and a text has none",
          "Append tool calls and results with the library.");
    }
  }

  /** A turn, and the notes made from its statements. */
  private record RememberedTurnOutput(Turn turn, List<Note> notes) {}

  private void printResult(Turn turn, List<Note> notes) {
    commandContext
        .output()
        .printResult(new RememberedTurnOutput(turn, notes), () -> print(turn, notes));
  }

  private void print(Turn turn, List<Note> notes) {
    Terminal terminal = commandContext.terminal();
    terminal.printLine(
        "Turn %d of session '%s': %s"
            .formatted(turn.position() + 1, session.orElse(""), turn.id()));
    for (Note note : notes) {
      terminal.printLine(
          "Noted as %s: %s (%s)"
              .formatted(
                  FilterOptions.lowerCaseName(note.type()),
                  TextTable.toCell(note.content()),
                  note.id()));
    }
  }

  private void printResult(Note note, List<ConflictingNoteOutput> conflicts) {
    commandContext
        .output()
        .printResult(new RememberedNoteOutput(note, conflicts), () -> print(note, conflicts));
  }

  private void print(Note note, List<ConflictingNoteOutput> conflicts) {
    Terminal terminal = commandContext.terminal();
    terminal.printLine(
        "Remembered %s about '%s': %s"
            .formatted(FilterOptions.lowerCaseName(note.type()), note.entity(), note.id()));
    for (ConflictingNoteOutput other : conflicts) {
      terminal.printLine(
          terminal.warning("It contradicts ") + other.id() + ": " + TextTable.toCell(other.text()));
    }
  }
}
