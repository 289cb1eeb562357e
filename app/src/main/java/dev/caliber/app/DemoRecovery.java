package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RolledBack;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.memory.pcp.Recover;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import java.util.List;

/** A checkpoint, a detour, and the way back: the window is the same, to the byte. */
final class DemoRecovery {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String SESSION = "thread-8";

  private final DemoStage stage;
  private final Workbench workbench;

  DemoRecovery(DemoStage stage, Workbench workbench) {
    this.stage = stage;
    this.workbench = workbench;
  }

  void run(OpenStore store) {
    stage.part("A session that went astray returns to a checkpoint");
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig config = MemoryConfig.starter();
    MemoryParts parts =
        MemoryParts.plain(
            workbench.surroundings().clock(),
            runtime,
            TokenCounter.estimate(new TokenEstimate(runtime.context().bytesPerToken())));
    Memory memory = Memory.of(store.records(), config, parts);
    ContextAssembler assembler =
        ContextAssembler.of(store.records(), config, parts, TokenCounters.none());
    Guardian guardian =
        Guardian.of(new Guardian.Rooms(store.records(), memory, assembler), config, parts);
    tell(memory, assembler, guardian);
  }

  private void tell(Memory memory, ContextAssembler assembler, Guardian guardian) {
    Id task =
        said(memory, "Book the train to Oslo.", "Which class?", "Second.").getFirst().trajectory();
    Checkpoint point = guardian.checkpoint(SPACE, task);
    String before = window(assembler, task);
    said(memory, "Or should we walk?", "That takes three weeks.");
    RolledBack would = guardian.recover(SPACE, Recover.to(point.id()).dry()).done().orElseThrow();
    stage.say("A dry run says: %d turns would be rolled back".formatted(would.turns().size()));
    RolledBack done = guardian.recover(SPACE, Recover.to(point.id())).done().orElseThrow();
    stage.check("that is what was rolled back", done.turns().equals(would.turns()));
    stage.check(
        "the window is the checkpoint's again, to the byte",
        window(assembler, task).equals(before));
    stage.check(
        "what was rolled back can still be read",
        memory.view(SPACE, view -> view.turn(done.turns().getFirst()).words().contains("walk")));
  }

  private static List<Turn> said(Memory memory, String... words) {
    return memory
        .remember(SPACE, SESSION, List.of(words).stream().map(NewTurn::user).toList())
        .turns();
  }

  private static String window(ContextAssembler assembler, Id task) {
    return assembler.assemble(SPACE, AssembleRequest.of(task)).text();
  }
}
