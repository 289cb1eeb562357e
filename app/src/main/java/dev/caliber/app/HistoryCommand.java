package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber history}. */
@Command(
    name = "history",
    header = "List the versions of a note, oldest first.",
    description =
        "A note that is rewritten, ended or superseded keeps its earlier version for"
            + " memory.retention.versions. 'caliber notes' lists the notes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber history 01JD5T6B9M8Z0V3QK7W2X4Y5RA",
      "  caliber history 01JD5T6B9M8Z0V3QK7W2X4Y5RA --json",
    })
final class HistoryCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(paramLabel = "NOTE", description = "The id of the note.")
  private String note = "";

  HistoryCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  /** A note and its earlier versions. */
  private record NoteHistoryOutput(Note note, List<PastNote> earlier) {}

  @Override
  public Integer call() {
    Id id = OpenMemoryServices.parseNoteId(note);
    NoteHistoryOutput noteHistoryOutput =
        commandContext.askServerOrStore(
            serverClient -> askServer(serverClient, id), () -> readStore(id));
    commandContext.output().printResult(noteHistoryOutput, () -> print(noteHistoryOutput));
    return ExitCode.OK.number();
  }

  private static NoteHistoryOutput askServer(ServerClient serverClient, Id id) {
    String path = "/notes/" + id;
    return new NoteHistoryOutput(
        serverClient.get(path, Note.class), serverClient.list(path + "/history", PastNote.class));
  }

  private NoteHistoryOutput readStore(Id id) {
    try (OpenIndex search = OpenIndex.withoutModels(commandContext)) {
      return MemoryFactory.create(search)
          .view(
              commandContext.space(),
              view -> new NoteHistoryOutput(view.note(id), view.noteHistory(id)));
    }
  }

  private void print(NoteHistoryOutput noteHistoryOutput) {
    TextTable table = TextTable.of("VERSION", "SINCE", "UNTIL", "TEXT");
    noteHistoryOutput
        .earlier()
        .forEach(past -> addRow(table, past.note(), Timestamps.format(past.until())));
    addRow(
        table,
        noteHistoryOutput.note(),
        noteHistoryOutput.note().retiredAt().map(Timestamps::format).orElse(""));
    commandContext.output().printTable(table);
    noteHistoryOutput
        .note()
        .supersededBy()
        .ifPresent(id -> commandContext.terminal().printNote("Superseded by %s.".formatted(id)));
  }

  private static void addRow(TextTable table, Note note, String until) {
    table.addRow(
        CommandOutput.formatNumber(note.version()),
        Timestamps.format(note.recordedAt()),
        until,
        TextTable.toCell(note.content()));
  }
}
