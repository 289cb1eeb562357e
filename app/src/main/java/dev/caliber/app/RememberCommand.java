package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RememberNote;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.models.Models;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

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

  /** A server's answer: a note or a turn. */
  private record RememberAnswer(
      Optional<Note> note,
      Optional<Turn> turn,
      List<Note> notes,
      List<ConflictingNoteOutput> conflicts) {}

  @Override
  public Integer call() throws IOException {
    requireConsistentOptions();
    String words = SourceFile.argumentText(commandContext, text);
    Optional<ServerClient> server = commandContext.runningServer();
    if (server.isPresent()) {
      try (ServerClient serverClient = server.get()) {
        askServer(serverClient, words);
      }
      return ExitCode.OK.number();
    }
    SpaceId space = commandContext.space();
    try (OpenStore store = commandContext.openOrCreate();
        Models models = commandContext.chatModel()) {
      Memory memory = MemoryFactory.create(commandContext, store, models);
      if (session.isPresent()) {
        appendTurn(memory, space, session.get(), words);
      } else {
        writeNote(memory, space, words);
      }
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

  private void askServer(ServerClient serverClient, String words) {
    ObjectNode input = ServerClient.newInput().put("text", words);
    ServerClient.putIfPresent(input, "subject", subject);
    ServerClient.putIfPresent(input, "about", about);
    ServerClient.putIfPresent(input, "type", type.map(FilterOptions::parseNoteType));
    ServerClient.putIfPresent(input, "session", session);
    ServerClient.putIfPresent(input, "role", role);
    RememberAnswer rememberAnswer = serverClient.post("/remember", input, RememberAnswer.class);
    rememberAnswer.note().ifPresent(note -> printResult(note, rememberAnswer.conflicts()));
    rememberAnswer.turn().ifPresent(turn -> printResult(turn, rememberAnswer.notes()));
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

  private void appendTurn(Memory memory, SpaceId space, String name, String words) {
    NewTurn turn = NewTurn.of(role.orElse(TurnRole.USER), TurnPart.text(words));
    Labels labels = subject.map(Labels::ofSubject).orElse(Labels.none());
    AppendResult said = memory.remember(space, name, List.of(turn.withLabels(labels)));
    printResult(said.first(), said.notes());
  }

  private void writeNote(Memory memory, SpaceId space, String words) {
    RememberNote request =
        new RememberNote(words, subject, about, type.map(FilterOptions::parseNoteType));
    Note note = memory.remember(space, request);
    List<ConflictingNoteOutput> conflicts =
        memory.view(
            space,
            view ->
                note.conflictsWith().stream()
                    .map(id -> new ConflictingNoteOutput(id, view.note(id).content()))
                    .toList());
    printResult(note, conflicts);
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
