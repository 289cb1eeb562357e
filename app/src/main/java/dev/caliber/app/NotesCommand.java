package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber notes}. */
@Command(
    name = "notes",
    header = "List notes, newest first, as of now or of another time.",
    description =
        "A note has two times: when it was believed here, and when it holds. --as-of asks for the"
            + " first, --valid-at for the second.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber notes --entity alice",
      "  caliber notes --type preference",
      "  caliber notes --entity alice --as-of 2026-03-01 --valid-at 2026-03-01",
    })
final class NotesCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(names = "--entity", paramLabel = "NAME", description = "Only notes about this.")
  private Optional<String> about = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description = "Only notes of this person or thing.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--external-id",
      paramLabel = "NAME",
      description = "Only notes with this external id, their name in your own system.")
  private Optional<String> externalId = Optional.empty();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "Only notes of this type: fact, preference, convention, strategy, gotcha, relationship,"
              + " procedure or meta.")
  private Optional<String> type = Optional.empty();

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description =
          "Only notes believed at this time, as they read then: a date, or a time with its offset.")
  private Optional<String> asOf = Optional.empty();

  @Option(
      names = "--valid-at",
      paramLabel = "TIME",
      description = "Only notes that hold at this time: a date, or a time with its offset.")
  private Optional<String> validAt = Optional.empty();

  NotesCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    NoteQuery wanted = noteQuery();
    List<Note> known =
        commandContext.askServerOrStore(
            serverClient -> askServer(serverClient, wanted), () -> readStore(wanted));
    commandContext.output().printResults(known, () -> print(known));
    return ExitCode.OK.number();
  }

  private NoteQuery noteQuery() {
    return new NoteQuery(
        about,
        subject,
        externalId,
        type.map(FilterOptions::parseNoteType),
        true,
        asOf.map(text -> TimeParser.parse("--as-of", text)),
        validAt.map(text -> TimeParser.parse("--valid-at", text)));
  }

  private static List<Note> askServer(ServerClient serverClient, NoteQuery wanted) {
    List<String> asked = new ArrayList<>();
    addParameter(asked, "entity", wanted.entity());
    addParameter(asked, "subject", wanted.subject());
    addParameter(asked, "external_id", wanted.externalId());
    addParameter(asked, "type", wanted.type().map(NoteType::name));
    addParameter(asked, "as_of", wanted.asOf().map(Instant::toString));
    addParameter(asked, "valid_at", wanted.validAt().map(Instant::toString));
    return serverClient.list(
        asked.isEmpty() ? "/notes" : "/notes?" + String.join("&", asked), Note.class);
  }

  private static void addParameter(List<String> asked, String name, Optional<String> value) {
    value.ifPresent(text -> asked.add(name + "=" + CaliberClient.encodePathSegment(text)));
  }

  private List<Note> readStore(NoteQuery wanted) {
    try (OpenIndex search = OpenIndex.withoutModels(commandContext)) {
      return MemoryFactory.create(search).view(commandContext.space(), view -> view.notes(wanted));
    }
  }

  private void print(List<Note> known) {
    if (known.isEmpty()) {
      commandContext
          .terminal()
          .printNote(
              "No note matches. 'caliber notes' without options lists all current notes, 'caliber"
                  + " remember TEXT' writes one.");
      return;
    }
    TextTable table = TextTable.of("NOTE", "SINCE", "TYPE", "ENTITY", "TEXT");
    known.forEach(
        note ->
            table.addRow(
                note.id().toString(),
                Timestamps.format(note.recordedAt()),
                FilterOptions.lowerCaseName(note.type()),
                TextTable.toCell(note.entity()),
                TextTable.toCell(note.content())));
    commandContext.output().printTable(table);
  }
}
