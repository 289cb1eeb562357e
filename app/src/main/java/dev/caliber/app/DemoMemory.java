package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.Appended;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.Recollection;
import dev.caliber.memory.command.Remember;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.Jobs;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import java.util.List;
import java.util.Optional;

/** The demo's last part: notes and turns, found by meaning, contradicted, and forgotten. */
final class DemoMemory {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String ALICE = "alice";
  private static final String QUESTION = "Where does she like to sit?";
  private static final int HITS = 5;

  private final DemoStage stage;
  private final Workbench workbench;

  DemoMemory(DemoStage stage, Workbench workbench) {
    this.stage = stage;
    this.workbench = workbench;
  }

  /** In a store of its own, with the starter's model and nothing of the user's. */
  void run(OpenStore store) {
    stage.part("What an agent learns is remembered, found by its meaning, and forgotten for good");
    Surroundings around = workbench.surroundings();
    try (Models models = Models.open(ModelsConfig.starter(), around.environment(), around.clock());
        Jobs jobs = Jobs.of(store.records(), store.config().jobs(), around.clock());
        SearchIndex index = SearchIndex.open(parts(store), models.embedder(), jobs)) {
      Memory memory = memory(store, index);
      remember(memory);
      recall(memory);
      keepApart(memory);
      contradict(memory);
      forget(memory, index);
    }
  }

  private SearchIndex.Parts parts(OpenStore store) {
    return new SearchIndex.Parts(
        store.records(),
        store.config(),
        SearchConfig.starter(),
        Memory.searchables(),
        workbench.surroundings().clock(),
        workbench.ids());
  }

  private Memory memory(OpenStore store, SearchIndex index) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    TokenEstimate estimate = new TokenEstimate(runtime.context().bytesPerToken());
    return Memory.of(
        store.records(),
        MemoryConfig.starter(),
        MemoryParts.plain(
                workbench.surroundings().clock(), runtime, TokenCounter.estimate(estimate))
            .withSearch(index));
  }

  private void remember(Memory memory) {
    Note first = memory.remember(SPACE, ofAlice("I prefer window seats on long flights."));
    Note again = memory.remember(SPACE, ofAlice("I prefer window seats on long flights."));
    stage.check("the same memory twice is one note", first.id().equals(again.id()));
    memory.remember(SPACE, ofAlice("The quarterly report is due on Friday."));
    Appended turns =
        memory.remember(
            SPACE,
            "thread-7",
            List.of(
                NewTurn.user("What is the weather in Oslo?"),
                NewTurn.of(Role.ASSISTANT, new Part.ToolCall("c1", "weather", "{\"in\":\"Oslo\"}")),
                NewTurn.of(Role.TOOL, new Part.ToolResult("c1", "Rain, 4 degrees", false))));
    stage.check(
        "a session keeps its tool call and the result as a pair",
        memory.view(SPACE, view -> view.openCalls(turns.first().trajectory()).isEmpty()));
  }

  /** At once: what has no vector yet gets one within the call. */
  private void recall(Memory memory) {
    stage.say("Asked: \"%s\"".formatted(QUESTION));
    Recollection found = memory.recall(SPACE, RecallQuery.of(QUESTION, HITS).among(alice()));
    found.hits().forEach(hit -> stage.say("  %.3f  %s".formatted(hit.similarity(), hit.text())));
    stage.check(
        "the note about seats comes first, though it has no word of the question",
        !found.hits().isEmpty() && found.hits().getFirst().text().contains("window seats"));
  }

  private void keepApart(Memory memory) {
    NewTurn words = NewTurn.user("Hello! I play the cello in an orchestra.");
    Appended said =
        memory.remember(SPACE, "monday", List.of(words.labelled(Labels.ofSubject(ALICE))));
    stage.check(
        "a fact that is said in a conversation becomes a note that names its turn",
        said.notes().size() == 1
            && said.first()
                .id()
                .toString()
                .equals(said.notes().getFirst().labels().metadata().get(Note.TURN)));
    RecallQuery question = RecallQuery.of("Which instrument is played?", HITS);
    stage.check(
        "alice is given it in her next conversation, and bob is not",
        isGiven(memory, question.visibleTo(SubjectScope.of(Optional.of(ALICE))))
            && !isGiven(memory, question.visibleTo(SubjectScope.of(Optional.of("bob")))));
  }

  private static boolean isGiven(Memory memory, RecallQuery question) {
    return memory.recall(SPACE, question).hits().stream()
        .anyMatch(hit -> hit.text().contains("cello"));
  }

  private void contradict(Memory memory) {
    Note lisbon = memory.remember(SPACE, ofAlice("Alice lives in Lisbon."));
    Note porto = memory.remember(SPACE, ofAlice("Alice lives in Porto."));
    stage.check(
        "a note that contradicts another is kept beside it, and both say so",
        porto.conflictsWith().contains(lisbon.id())
            && memory
                .view(SPACE, view -> view.note(lisbon.id()))
                .conflictsWith()
                .contains(porto.id()));
  }

  private void forget(Memory memory, SearchIndex index) {
    Forget wish = Forget.all(alice());
    Forgotten would = memory.forget(SPACE, wish.previewed());
    Forgotten gone = memory.forget(SPACE, wish);
    stage.check(
        "forgetting alice removes what the preview named: %d notes".formatted(notes(gone)),
        gone.records().equals(would.records()));
    index.embed(SPACE, (_, _, _) -> {});
    stage.check(
        "then nothing of her is found",
        memory.recall(SPACE, RecallQuery.of(QUESTION, HITS).among(alice())).hits().isEmpty());
  }

  private static long notes(Forgotten gone) {
    return gone.records().stream().filter(record -> record.type() == EntityType.NOTE).count();
  }

  private static Remember ofAlice(String text) {
    return Remember.of(text).forSubject(ALICE);
  }

  private static RecallFilter alice() {
    return RecallFilter.ofSubject(ALICE);
  }
}
