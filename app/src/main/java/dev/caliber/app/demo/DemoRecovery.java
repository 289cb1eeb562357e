package dev.caliber.app.demo;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.pcp.RecoveryRequest;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Turn;
import java.util.List;

/** Part of the demo: a session returns to a checkpoint, and its window is the same again. */
final class DemoRecovery {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final String SESSION = "thread-8";

  private final DemoReporter stage;
  private final Memory memory;
  private final ContextAssembler assembler;
  private final ContextIntegrity contextIntegrity;

  DemoRecovery(DemoReporter stage, DemoModules modules) {
    this.stage = stage;
    this.memory = modules.memory();
    this.assembler = modules.assembler();
    this.contextIntegrity = modules.integrity();
  }

  void run() {
    stage.beginPart("A conversation went astray: it returns to a checkpoint");
    Id task =
        appendTurns("Book the train to Oslo.", "Which class?", "Second.").getFirst().trajectory();
    Checkpoint point = contextIntegrity.saveCheckpoint(SPACE, task);
    String before = windowText(task);
    appendTurns("Or should we walk?", "That takes three weeks.");
    RollBackResult preview =
        contextIntegrity
            .recover(SPACE, RecoveryRequest.toCheckpoint(point.id()).withDryRun())
            .done()
            .orElseThrow();
    stage.printText(
        "A preview says: %d turns would be rolled back".formatted(preview.turns().size()));
    RollBackResult done =
        contextIntegrity
            .recover(SPACE, RecoveryRequest.toCheckpoint(point.id()))
            .done()
            .orElseThrow();
    stage.check("the recovery rolled back the same number", done.turns().equals(preview.turns()));
    stage.check(
        "the window is the checkpoint's again, to the byte", windowText(task).equals(before));
    stage.check(
        "what was rolled back can still be read",
        memory.view(
            SPACE, view -> view.turn(done.turns().getFirst()).searchableText().contains("walk")));
  }

  private List<Turn> appendTurns(String... words) {
    return memory
        .remember(SPACE, SESSION, List.of(words).stream().map(NewTurn::user).toList())
        .turns();
  }

  private String windowText(Id task) {
    return assembler.assemble(SPACE, AssembleRequest.of(task)).text();
  }
}
