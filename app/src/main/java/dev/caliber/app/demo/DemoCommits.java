package dev.caliber.app.demo;

import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.record.Note;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import java.util.List;

/** A part of the demo: records of several kinds are written in one commit, or not at all. */
final class DemoCommits {
  private static final SpaceId SPACE = SpaceId.DEFAULT;

  private final DemoReporter stage;
  private final DemoModules modules;

  DemoCommits(DemoReporter stage, DemoModules modules) {
    this.stage = stage;
    this.modules = modules;
  }

  void run() {
    stage.beginPart("A note, a message and a turn in one commit, or none of them");
    AgentId planner =
        modules.agents().run(SPACE, RegisterAgent.of("planner", AgentProfile.of("demo"))).id();
    FeedCursor before = modules.store().feed().head(SPACE);
    write(planner, planner);
    List<Commit> commits =
        modules.store().feed().read(SPACE, before, modules.store().config().feed().pageLimit());
    stage.printText("The change feed, which search, wake-ups and event streams follow, now says:");
    commits.forEach(stage::showCommit);
    stage.check("one feed entry holds all of it", commits.size() == 1);
    long notes = modules.store().count(SPACE, Note.TABLE);
    FeedCursor head = modules.store().feed().head(SPACE);
    stage.printText("Once more, with a message to an agent that does not exist:");
    stage.check("the commit is refused", isRefused(planner));
    stage.check(
        "the note that it had written before is not there",
        modules.store().count(SPACE, Note.TABLE) == notes);
    stage.check("the feed shows nothing of it", modules.store().feed().head(SPACE).equals(head));
  }

  private boolean isRefused(AgentId sender) {
    try {
      write(sender, new AgentId("missing"));
      return false;
    } catch (AgentsException e) {
      stage.printText("  refused: " + e.toLine());
      return true;
    }
  }

  private void write(AgentId sender, AgentId recipient) {
    modules
        .store()
        .records()
        .write(
            SPACE,
            transaction -> {
              modules
                  .memory()
                  .remember(
                      transaction, NewNote.of("The report for %s is due.".formatted(recipient)));
              modules
                  .memory()
                  .remember(transaction, "report", List.of(NewTurn.assistant("I am on it.")));
              return modules
                  .agents()
                  .run(
                      transaction,
                      SendMessage.of(
                          sender,
                          Recipient.ofAgent(recipient),
                          MessageContent.of("request", "{\"file\":\"report.md\"}")));
            });
  }
}
