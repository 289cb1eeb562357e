package dev.caliber.app.demo;

import dev.caliber.app.command.ExplainCommand;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The demo's person: what Alice says to her assistant on two days, and what it remembers. */
final class DemoStory {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String ALICE = "alice";
  private static final String SEAT = "Where does she like to sit?";
  private static final String BOOKING = "Book a seat on the train to Oslo";
  private static final int HITS = 3;
  private static final int WINDOW_TOKENS = 220;

  private final DemoReporter stage;
  private final DemoModules modules;

  DemoStory(DemoReporter stage, DemoModules modules) {
    this.stage = stage;
    this.modules = modules;
  }

  /** The first day: a conversation with a tool call. */
  void showConversation() {
    stage.beginPart("Yesterday: Alice plans a trip with her assistant");
    List<NewTurn> turns =
        List.of(
            ofAlice("Hello! I live in Lyon and I want to see Oslo in May."),
            NewTurn.assistant("Lovely. How would you like to travel?"),
            ofAlice("By train. I prefer window seats."),
            NewTurn.of(
                TurnRole.ASSISTANT,
                new TurnPart.ToolCallPart("c1", "weather", "{\"city\":\"Oslo\"}")),
            NewTurn.of(TurnRole.TOOL, new TurnPart.ToolResultPart("c1", "Rain, 4 degrees", false)),
            NewTurn.assistant("It rains in Oslo and has 4 degrees. Take a coat."));
    turns.forEach(turn -> stage.printText("  " + lineOf(turn)));
    AppendResult said = modules.memory().remember(SPACE, "trip", turns);
    stage.printText("Caliber keeps every turn, and makes notes of what Alice states:");
    said.notes()
        .forEach(note -> stage.printText("  %s: %s".formatted(note.type(), note.content())));
    stage.check(
        "each note names the turn that it was made of",
        !said.notes().isEmpty()
            && said.notes().stream()
                .allMatch(note -> note.labels().metadata().containsKey(Note.TURN)));
    stage.check(
        "the tool call and its result are a pair",
        modules.memory().view(SPACE, view -> view.openCalls(said.first().trajectory())).isEmpty());
  }

  /** The second day: a question that shares no word with its answer. */
  void showRecall() {
    stage.beginPart("Today: a new conversation, the same memory");
    stage.printText("The assistant asks memory: \"%s\"".formatted(SEAT));
    modules.index().embedPending(SPACE, (_, _, _) -> {}); // a busy machine may still be indexing
    RecallResult found = recall(SEAT, ALICE);
    found
        .hits()
        .forEach(hit -> stage.printText("  %.3f  %s".formatted(hit.similarity(), hit.text())));
    stage.check(
        "the answer is first, although it shares no word with the question",
        !found.hits().isEmpty() && found.hits().getFirst().text().contains("window seats"));
    stage.check("Bob, in the same space, gets none of it", recall(SEAT, "bob").hits().isEmpty());
  }

  /** What a model is sent, and why each line is in it. */
  void showWindow() {
    stage.beginPart("The context window for the next model call, explained");
    AppendResult said =
        modules.memory().remember(SPACE, "booking", List.of(ofAlice(BOOKING + ", please.")));
    AssembledWindow assembled =
        modules
            .assembler()
            .assemble(
                SPACE,
                AssembleRequest.of(said.first().trajectory())
                    .withQuery(BOOKING)
                    .withMaxTokens(WINDOW_TOKENS)
                    .withSubject(ALICE));
    Window window = assembled.window();
    stage.printText("The window may have %d tokens:".formatted(WINDOW_TOKENS));
    assembled.text().lines().forEach(line -> stage.printText("  " + line));
    stage.printText("Its ledger says for each candidate whether it is in, and why:");
    WindowExplanation explanation = WindowExplanation.of(window);
    stage.show(terminal -> ExplainCommand.printItems(explanation, terminal));
    stage.check(
        "the window has %d tokens, no more than it may".formatted(window.usedTokens()),
        window.usedTokens() <= WINDOW_TOKENS);
    stage.check("the seat is in it", assembled.text().contains("window seats"));
    stage.check(
        "made again from its ledger it has the same text, to the byte",
        modules.assembler().replay(SPACE, window).equals(assembled.text()));
  }

  /** Two notes that cannot both be true. */
  void showContradiction() {
    stage.beginPart("Alice has moved: a contradiction is found, not overwritten");
    Note before = modules.memory().remember(SPACE, noteForAlice("Alice lives in Lyon."));
    Note after = modules.memory().remember(SPACE, noteForAlice("Alice lives in Porto."));
    stage.printText("  %s".formatted(before.content()));
    stage.printText("  %s   contradicts the note above".formatted(after.content()));
    stage.check(
        "both notes are kept, and each names the other",
        after.conflictsWith().contains(before.id())
            && note(before.id()).conflictsWith().contains(after.id()));
  }

  /** Everything of one person goes, in one call. */
  void showForget() {
    stage.beginPart("Alice asks to be forgotten");
    ForgetRecords command = ForgetRecords.matching(RecallFilter.ofSubject(ALICE));
    ForgetResult preview = modules.memory().forget(SPACE, command.asPreview());
    stage.printText("A preview counts what would be deleted: " + counts(preview.records()));
    ForgetResult gone = modules.memory().forget(SPACE, command);
    stage.check("that is what was deleted", gone.records().equals(preview.records()));
    stage.check("no file of the store holds her words any more", gone.purged());
    RecallResult found =
        modules
            .memory()
            .recall(SPACE, RecallQuery.of(SEAT, HITS).withFilter(RecallFilter.ofSubject(ALICE)));
    found.explanation().ifPresent(words -> stage.printText("Asked again, memory says: " + words));
    stage.check("nothing of her is found", found.hits().isEmpty());
  }

  private RecallResult recall(String question, String subject) {
    return modules
        .memory()
        .recall(
            SPACE,
            RecallQuery.of(question, HITS)
                .withReadableSubjects(ReadableSubjects.of(Optional.of(subject))));
  }

  private Note note(Id id) {
    return modules.memory().view(SPACE, view -> view.note(id));
  }

  private static String counts(List<EntityRef> records) {
    Map<String, Long> byKind =
        records.stream()
            .collect(
                Collectors.groupingBy(
                    record -> record.type().lowerCaseName(), TreeMap::new, Collectors.counting()));
    return byKind.entrySet().stream()
        .map(kind -> "%s: %d".formatted(kind.getKey(), kind.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String lineOf(NewTurn turn) {
    String who =
        turn.role() == TurnRole.USER ? "Alice" : turn.role().name().toLowerCase(Locale.ROOT);
    return who
        + ": "
        + turn.parts().stream().map(TurnPart::searchableText).collect(Collectors.joining(" "));
  }

  private static NewTurn ofAlice(String text) {
    return NewTurn.user(text).withLabels(Labels.ofSubject(ALICE));
  }

  private static NewNote noteForAlice(String text) {
    return NewNote.of(text).withSubject(ALICE);
  }
}
