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
    header = "What is known, or was at a time, newest first.",
    description =
        "A note has two times: when it was believed here, and when it holds. --as-of asks for the"
            + " first, --valid-at for the second.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber notes --about alice",
      "  caliber notes --type preference",
      "  caliber notes --about alice --as-of 2026-03-01 --valid-at 2026-03-01",
    })
final class NotesCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(names = "--about", paramLabel = "NAME", description = "Only notes about this.")
  private Optional<String> about = Optional.empty();

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description = "Only what belongs to this person or thing.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--external-id",
      paramLabel = "NAME",
      description = "Only what your own system knows by this name.")
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
          "What was believed at this time, as it read then: a date, or a time with its offset.")
  private Optional<String> asOf = Optional.empty();

  @Option(
      names = "--valid-at",
      paramLabel = "TIME",
      description = "Only what holds at this time: a date, or a time with its offset.")
  private Optional<String> validAt = Optional.empty();

  NotesCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    NoteQuery wanted = wanted();
    List<Note> known = workbench.ask(remote -> ask(remote, wanted), () -> read(wanted));
    workbench.output().results(known, () -> print(known));
    return ExitCode.OK.number();
  }

  private NoteQuery wanted() {
    return new NoteQuery(
        about,
        subject,
        externalId,
        type.map(FilterOptions::noteType),
        true,
        asOf.map(text -> Moment.parse("--as-of", text)),
        validAt.map(text -> Moment.parse("--valid-at", text)));
  }

  private static List<Note> ask(Remote remote, NoteQuery wanted) {
    List<String> asked = new ArrayList<>();
    add(asked, "entity", wanted.entity());
    add(asked, "subject", wanted.subject());
    add(asked, "external_id", wanted.externalId());
    add(asked, "type", wanted.type().map(NoteType::name));
    add(asked, "as_of", wanted.asOf().map(Instant::toString));
    add(asked, "valid_at", wanted.validAt().map(Instant::toString));
    return remote.list(
        asked.isEmpty() ? "/notes" : "/notes?" + String.join("&", asked), Note.class);
  }

  private static void add(List<String> asked, String name, Optional<String> value) {
    value.ifPresent(text -> asked.add(name + "=" + CaliberClient.encoded(text)));
  }

  private List<Note> read(NoteQuery wanted) {
    try (OpenSearch search = OpenSearch.of(workbench)) {
      return OpenMemory.over(search).view(workbench.space(), view -> view.notes(wanted));
    }
  }

  private void print(List<Note> known) {
    if (known.isEmpty()) {
      workbench
          .terminal()
          .note(
              "No note fits. 'caliber notes' without options lists all that is believed,"
                  + " 'caliber remember TEXT' writes one.");
      return;
    }
    TextTable table = TextTable.of("NOTE", "SINCE", "TYPE", "ABOUT", "TEXT");
    known.forEach(
        note ->
            table.row(
                note.id().toString(),
                Timestamps.format(note.recordedAt()),
                FilterOptions.word(note.type()),
                TextTable.cut(note.entity()),
                TextTable.cut(note.content())));
    workbench.output().table(table);
  }
}
