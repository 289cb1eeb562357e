package dev.caliber.app.command;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.FilterOptions;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.RecordIdParser;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.RecordTexts;
import dev.caliber.app.shell.SourceFile;
import dev.caliber.app.shell.StoreOperations;
import dev.caliber.app.shell.StoreUse;
import dev.caliber.app.shell.Terminal;
import dev.caliber.app.shell.TextTable;
import dev.caliber.app.shell.TimeParser;
import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnRole;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands that write, find and forget memories. */
public record MemoryCommands(CommandContext commandContext) {

  /** A note that a new one contradicts. */
  private record ConflictingNoteOutput(Id id, String text) {}

  private record RememberedNoteOutput(Note note, List<ConflictingNoteOutput> conflicts) {}

  /** A turn, and the notes made from its statements. */
  private record RememberedTurnOutput(Turn turn, List<Note> notes) {}

  /** The answer: a note or a turn. */
  private record RememberAnswer(
      Optional<Note> note,
      Optional<Turn> turn,
      List<Note> notes,
      List<ConflictingNoteOutput> conflicts) {}

  public CommandLine remember() {
    return OperationCommand.named(
            commandContext, "remember", "Remember a sentence as a note, or as a turn of a session.")
        .description(
            "Writes one note. With --session, appends a turn to that session instead; the first"
                + " turn starts the session. Creates the store if there is none. The note or turn"
                + " is durable when the command returns.",
            "The same note twice is stored once; a note that contradicts another is kept beside it,"
                + " and both name the conflict.")
        .examples(
            "  caliber remember \"I prefer window seats\" --subject alice",
            "  caliber remember \"The deploy runs on Tuesdays\" --entity deploy --type fact",
            "  caliber remember \"Where is my parcel?\" --session thread-7 --role user",
            "  cat answer.txt | caliber remember - --session thread-7 --role assistant")
        .parameter(
            "TEXT", "text", text -> text, "The text to remember; - reads the standard input.")
        .option("--subject", "NAME", "subject", "The person or thing that the memory belongs to.")
        .option(
            "--entity",
            "NAME",
            "about",
            "The topic of the note. Default: the subject, else the space.")
        .option(
            "--type",
            "TYPE",
            "type",
            FilterOptions::parseNoteType,
            "fact, preference, convention, strategy, gotcha, relationship, procedure or meta."
                + " Default: preference if it reads like one, else fact.")
        .option(
            "--session",
            "NAME",
            "session",
            "Append it to this session as a turn, verbatim. Statements of a user in it become notes"
                + " (memory.notes.from-turns).")
        .option(
            "--role",
            "ROLE",
            "role",
            TurnRole.class,
            "The speaker: user, assistant or system. Default: user.")
        .using(this::readRememberedText)
        .runs(
            (operations, input) -> {
              RememberAnswer answer = operations.call("remember", input, RememberAnswer.class);
              String session = input.text("session");
              answer.note().ifPresent(note -> print(note, answer.conflicts()));
              answer.turn().ifPresent(turn -> print(turn, answer.notes(), session));
              return ExitCode.OK;
            });
  }

  private StoreUse readRememberedText(OperationInput input) {
    boolean ofSession = input.has("session");
    if (ofSession && (input.has("about") || input.has("type"))) {
      throw AppException.conflictingOptions(
          "--entity and --type cannot be combined with --session: they are for notes, and --session"
              + " appends a turn",
          "Leave out one of them.");
    }
    if (input.has("role") && !ofSession) {
      throw AppException.conflictingOptions(
          "--role requires --session: it names the speaker of a turn", "Name the session.");
    }
    if (input.text("role").equals(TurnRole.TOOL.name())) {
      throw AppException.conflictingOptions(
          "--role tool cannot be used: a tool's result belongs to a call, and a text has none",
          "Append tool calls and results with the library.");
    }
    input.with("text", SourceFile.argumentText(commandContext, input.text("text")));
    return StoreUse.CREATED_IF_MISSING;
  }

  private void print(Turn turn, List<Note> notes, String session) {
    Terminal terminal = commandContext.terminal();
    commandContext
        .output()
        .printResult(
            new RememberedTurnOutput(turn, notes),
            () -> {
              terminal.printLine(
                  "Turn %d of session '%s': %s".formatted(turn.position() + 1, session, turn.id()));
              notes.forEach(
                  note ->
                      terminal.printLine(
                          "Noted as %s: %s (%s)"
                              .formatted(
                                  FilterOptions.lowerCaseName(note.type()),
                                  TextTable.toCell(note.content()),
                                  note.id())));
            });
  }

  private void print(Note note, List<ConflictingNoteOutput> conflicts) {
    Terminal terminal = commandContext.terminal();
    commandContext
        .output()
        .printResult(
            new RememberedNoteOutput(note, conflicts),
            () -> {
              terminal.printLine(
                  "Remembered %s about '%s': %s"
                      .formatted(
                          FilterOptions.lowerCaseName(note.type()), note.entity(), note.id()));
              conflicts.forEach(
                  other ->
                      terminal.printLine(
                          terminal.warning("It contradicts ")
                              + other.id()
                              + ": "
                              + TextTable.toCell(other.text())));
            });
  }

  private record RecallOutput(
      String method,
      Optional<String> degraded,
      int tokens,
      int omitted,
      List<RecallResult.RecallHit> hits,
      boolean partial,
      long unembedded,
      Optional<String> explanation) {
    RecallOutput withDegraded(Optional<String> reason) {
      return new RecallOutput(
          method, reason, tokens, omitted, hits, partial, unembedded, explanation);
    }
  }

  public CommandLine recall() {
    return OperationCommand.named(
            commandContext, "recall", "Find notes, turns and artifacts that answer a question.")
        .description(
            "Searches by words and by meaning, and finds everything remembered before the call."
                + " Loading the embedding model takes most of the time of a call; --lexical"
                + " searches without it.",
            "The table cuts long texts; --json prints them whole.")
        .examples(
            "  caliber recall \"Where does she like to sit?\" --subject alice",
            "  caliber recall \"deploy\" --type fact,procedure --max-tokens 500 --json",
            "  caliber recall \"Which office?\" --as-of 2026-03-01")
        .parameter("QUERY", "query", text -> text, "A question, or words.")
        .option(
            "--limit",
            "N",
            "limit",
            Integer.class,
            "The maximum number of hits. Default: command.recall.default-limit of the"
                + " configuration.")
        .option(
            "--max-tokens",
            "N",
            "max_tokens",
            Integer.class,
            "The maximum number of tokens of all hits together; a hit that does not fit is left out"
                + " whole.")
        .option(
            "--min-similarity",
            "S",
            "min_similarity",
            Double.class,
            "Leave out hits with a lower similarity than this, from 0 to 1.")
        .option(
            "--as-of",
            "TIME",
            "as_of",
            text -> TimeParser.parse("--as-of", text),
            "Only what was believed at this time: a date, or a time with its offset. Searches by"
                + " words.")
        .flag(
            "--lexical",
            "lexical",
            "Search by words alone, without the embedding model. Refused while a server holds the"
                + " store: it always searches by both.")
        .filter()
        .using(this::recallUse)
        .runs(this::recall);
  }

  private StoreUse recallUse(OperationInput input) {
    boolean words = input.takeFlag("lexical");
    if (!input.has("limit")) {
      input.with("limit", commandContext.configs().command().recall().defaultLimit());
    }
    return input.has("as_of") ? StoreUse.EXISTING : StoreUse.ofSearch(words);
  }

  private ExitCode recall(StoreOperations operations, OperationInput input) {
    Optional<String> lacking = operations.embedBacklog();
    RecallOutput output =
        operations.call("recall", input, RecallOutput.class).withDegraded(lacking);
    commandContext.output().printResult(output, () -> print(output));
    return ExitCode.OK;
  }

  private static final RecordTable<RecallResult.RecallHit> HITS =
      RecordTable.of(RecallResult.RecallHit.class)
          .column("SIMILARITY", hit -> String.format(Locale.ROOT, "%.3f", hit.similarity()))
          .column("KIND", hit -> hit.kind().lowerCaseName())
          .column("TIME", RecallResult.RecallHit::createdAt)
          .column("ID", RecallResult.RecallHit::id)
          .text("TEXT", RecallResult.RecallHit::text);

  private void print(RecallOutput output) {
    Terminal terminal = commandContext.terminal();
    output.explanation().ifPresent(terminal::printNote);
    if (!output.hits().isEmpty()) {
      HITS.print(output.hits(), terminal);
      terminal.printNote(
          terminal.faint(
              "%d %s by %s, %,d tokens"
                  .formatted(
                      output.hits().size(),
                      output.hits().size() == 1 ? "hit" : "hits",
                      output.method(),
                      output.tokens())));
    }
    if (output.omitted() > 0) {
      terminal.printNote("%d more hits did not fit into --max-tokens.".formatted(output.omitted()));
    }
    if (output.partial()) {
      terminal.printNote(
          terminal.warning(
              "Older records were not read: more than memory.recall.scan-candidates of one type"
                  + " match. Narrow the question."));
    }
    if (output.unembedded() > 0) {
      terminal.printNote(
          terminal.warning(
              "%,d records have no vector yet and were compared by their words only."
                  .formatted(output.unembedded())));
    }
    output.degraded().ifPresent(reason -> terminal.printNote(terminal.warning(reason)));
  }

  private record ForgetOutput(
      boolean preview, boolean complete, List<ForgottenRecordOutput> records) {
    static ForgetOutput of(ForgetResult result) {
      return new ForgetOutput(
          result.preview(),
          result.complete(),
          result.records().stream()
              .map(record -> new ForgottenRecordOutput(record.type().lowerCaseName(), record.id()))
              .toList());
    }
  }

  private record ForgottenRecordOutput(String type, String id) {}

  public CommandLine forget() {
    return OperationCommand.named(
            commandContext,
            "forget",
            "Delete memories for good: content, versions, and quotations of them.")
        .description(
            "Without --yes nothing is deleted: the command shows what would be deleted.",
            "Give one record by its id (a trajectory or scope includes everything in it), or options that"
                + " select records. A tombstone without content remains. Backups and exports made before"
                + " still have the content.")
        .examples(
            "  caliber forget --subject alice                show everything that belongs to"
                + " alice",
            "  caliber forget --subject alice --yes          delete it",
            "  caliber forget 01J8ZQ4T6W3V5X7Y9ABCDEFGHJ --yes --reason \"asked by mail\"")
        .optionalParameter("ID", "id", Id::parse, "One record, as recall shows it.")
        .filter()
        .flag("--dry-run", "dry_run", "Show what would be deleted (default without --yes).")
        .flag("--yes", "yes", "Delete it.")
        .option(
            "--reason",
            "TEXT",
            "reason",
            "The reason, for the tombstone. Do not put content in it.")
        .using(
            input -> {
              input.requirePreviewOrYes();
              requireSelection(input);
              return StoreUse.EXISTING;
            })
        .runs(this::forget);
  }

  private static void requireSelection(OperationInput input) {
    boolean filtered =
        Stream.of("subject", "external_id", "about", "session", "types").anyMatch(input::has);
    if (input.has("id") == filtered) {
      throw AppException.conflictingOptions(
          filtered
              ? "ID cannot be combined with options that select records"
              : "Nothing selects the records to forget",
          "Name an ID, or --subject, --external-id, --entity, --session or --type.");
    }
  }

  private ExitCode forget(StoreOperations operations, OperationInput input) {
    boolean preview = input.isSet("dry_run");
    ForgetResult shown = operations.call("forget", input.with("dry_run", true), ForgetResult.class);
    TextTable table = TextTable.of("TYPE", "ID", "TEXT");
    RecordTexts texts = new RecordTexts(operations);
    shown
        .records()
        .forEach(
            record -> table.addRow(record.type().lowerCaseName(), record.id(), texts.of(record)));
    ForgetResult result =
        preview
            ? shown
            : operations.call("forget", input.with("dry_run", false), ForgetResult.class);
    if (!preview) {
      operations.awaitIndexed();
    }
    commandContext.output().printResult(ForgetOutput.of(result), () -> print(result, table));
    return ExitCode.OK;
  }

  private void print(ForgetResult result, TextTable table) {
    Terminal terminal = commandContext.terminal();
    if (result.records().isEmpty()) {
      terminal.printNote("No record matches; nothing was deleted.");
      return;
    }
    table.print(terminal);
    terminal.printNote(
        result.preview()
            ? "Records to delete: %,d%s. Use --yes to delete them."
                .formatted(result.records().size(), result.complete() ? "" : " and more")
            : "Records deleted: %,d.".formatted(result.records().size()));
  }

  public CommandLine listNotes() {
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

  public CommandLine showHistory() {
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

  public CommandLine promoteRecord() {
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
