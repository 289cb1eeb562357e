package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands {@code caliber notes}, {@code history} and {@code promote}. */
record NoteCommands(CommandContext commandContext) {

  CommandLine listNotes() {
    return OperationCommand.named(
            commandContext, "notes", "List notes, newest first, as of now or of another time.")
        .description(
            "A note has two times: when it was believed here, and when it holds. --as-of asks for"
                + " the first, --valid-at for the second.")
        .examples(
            "  caliber notes --entity alice",
            "  caliber notes --type preference",
            "  caliber notes --entity alice --as-of 2026-03-01 --valid-at 2026-03-01")
        .option("--entity", "NAME", "entity", "Only notes about this.")
        .option("--subject", "NAME", "subject", "Only notes of this person or thing.")
        .option(
            "--external-id",
            "NAME",
            "external_id",
            "Only notes with this external id, their name in your own system.")
        .option(
            "--type",
            "TYPE",
            "type",
            FilterOptions::parseNoteType,
            "Only notes of this type: fact, preference, convention, strategy, gotcha,"
                + " relationship, procedure or meta.")
        .option(
            "--as-of",
            "TIME",
            "as_of",
            text -> TimeParser.parse("--as-of", text),
            "Only notes believed at this time, as they read then: a date, or a time with its"
                + " offset.")
        .option(
            "--valid-at",
            "TIME",
            "valid_at",
            text -> TimeParser.parse("--valid-at", text),
            "Only notes that hold at this time: a date, or a time with its offset.")
        .lists(
            "list_notes",
            Note.class,
            RecordTable.of(Note.class)
                .column("NOTE", Note::id)
                .column("SINCE", Note::recordedAt)
                .column("TYPE", note -> FilterOptions.lowerCaseName(note.type()))
                .text("ENTITY", Note::entity)
                .text("TEXT", Note::content)
                .whenEmpty(
                    "No note matches. 'caliber notes' without options lists all current notes,"
                        + " 'caliber remember TEXT' writes one."));
  }

  /** A note and its earlier versions. */
  private record NoteHistoryOutput(Note note, List<PastNote> earlier) {}

  CommandLine showHistory() {
    return OperationCommand.named(
            commandContext, "history", "List the versions of a note, oldest first.")
        .description(
            "A note that is rewritten, ended or superseded keeps its earlier version for"
                + " memory.retention.versions. 'caliber notes' lists the notes.")
        .examples(
            "  caliber history 01JD5T6B9M8Z0V3QK7W2X4Y5RA",
            "  caliber history 01JD5T6B9M8Z0V3QK7W2X4Y5RA --json")
        .parameter("NOTE", "id", RecordIdParser::parseNote, "The id of the note.")
        .runs(
            (operations, input) -> {
              NoteHistoryOutput history =
                  new NoteHistoryOutput(
                      operations.call("get_note", input, Note.class),
                      operations.list("get_note_history", input, PastNote.class));
              commandContext.output().printResult(history, () -> print(history));
              return ExitCode.OK;
            });
  }

  /** A version of a note, and the end of the time in which it was believed. */
  private record NoteVersionRow(Note note, Optional<Instant> until) {}

  private void print(NoteHistoryOutput history) {
    Stream<NoteVersionRow> earlier =
        history.earlier().stream()
            .map(past -> new NoteVersionRow(past.note(), Optional.of(past.until())));
    NoteVersionRow present = new NoteVersionRow(history.note(), history.note().retiredAt());
    RecordTable.of(NoteVersionRow.class)
        .column("VERSION", row -> row.note().version())
        .column("SINCE", row -> row.note().recordedAt())
        .column("UNTIL", NoteVersionRow::until)
        .text("TEXT", row -> row.note().content())
        .print(Stream.concat(earlier, Stream.of(present)).toList(), commandContext.terminal());
    history
        .note()
        .supersededBy()
        .ifPresent(id -> commandContext.terminal().printNote("Superseded by %s.".formatted(id)));
  }

  CommandLine promoteRecord() {
    return OperationCommand.named(
            commandContext,
            "promote",
            "Share a note or artifact of one subject with the whole space.")
        .description(
            "Removes its subject, so that every reader of the space sees it. The trace records it,"
                + " and the audit log records the actor.")
        .examples("  caliber promote 01ARZ3NDEKTSV4RRFFQ69G5FAV")
        .parameter("ID", "id", Id::parse, "The note or artifact, as 'caliber recall' shows it.")
        .prints(
            "promote_record",
            EntityRef.class,
            promoted ->
                "The %s %s now belongs to the whole space."
                    .formatted(promoted.type().lowerCaseName(), promoted.id()));
  }
}
