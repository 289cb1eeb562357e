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
    header = "The versions of a note, oldest first, the one of today last.",
    description =
        "A note that is written again, ended or superseded leaves its earlier version, for as long"
            + " as memory.retention.history keeps it. 'caliber notes' lists the notes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber history 01JD5T6B9M8Z0V3QK7W2X4Y5RA",
      "  caliber history 01JD5T6B9M8Z0V3QK7W2X4Y5RA --json",
    })
final class HistoryCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(paramLabel = "NOTE", description = "The id of the note.")
  private String note = "";

  HistoryCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  /** A note, and what it was. */
  private record Known(Note note, List<PastNote> earlier) {}

  @Override
  public Integer call() {
    Id id = OpenContext.note(note);
    Known known = workbench.ask(remote -> ask(remote, id), () -> read(id));
    workbench.output().result(known, () -> print(known));
    return ExitCode.OK.number();
  }

  private static Known ask(Remote remote, Id id) {
    String path = "/notes/" + id;
    return new Known(remote.get(path, Note.class), remote.list(path + "/history", PastNote.class));
  }

  private Known read(Id id) {
    try (OpenSearch search = OpenSearch.of(workbench)) {
      return OpenMemory.over(search)
          .view(workbench.space(), view -> new Known(view.note(id), view.history(id)));
    }
  }

  private void print(Known known) {
    TextTable table = TextTable.of("VERSION", "SINCE", "UNTIL", "TEXT");
    known.earlier().forEach(past -> row(table, past.note(), Timestamps.format(past.until())));
    row(table, known.note(), known.note().retiredAt().map(Timestamps::format).orElse(""));
    workbench.output().table(table);
    known
        .note()
        .supersededBy()
        .ifPresent(id -> workbench.terminal().note("Its place was taken by %s.".formatted(id)));
  }

  private static void row(TextTable table, Note note, String until) {
    table.row(
        Output.number(note.version()),
        Timestamps.format(note.recordedAt()),
        until,
        TextTable.cut(note.content()));
  }
}
