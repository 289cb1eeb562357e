package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Decides what is known of conflicts, and what is done about them. */
final class ConflictWork {
  private final Desk desk;
  private final MailWork mail;

  ConflictWork(Desk desk, MailWork mail) {
    this.desk = desk;
    this.mail = mail;
  }

  Conflict report(ReportConflict command) {
    desk.view().agent(command.agent());
    new WorkRules(desk).checkText(command.about());
    return seen(command);
  }

  /** What was found before this commit, if it still counts. */
  List<Conflict> found(List<ReportConflict> reports) {
    return reports.stream()
        .filter(report -> counts(report.first()) && counts(report.second()))
        .map(this::seen)
        .toList();
  }

  /** A search takes what is believed, live or open; that may be over by now. */
  private boolean counts(Conflict.Item item) {
    String id = item.record().id();
    return switch (item.record().type()) {
      case NOTE -> is(Note.TABLE, id, Note::isBelieved);
      case ARTIFACT -> is(Artifact.TABLE, id, artifact -> artifact.isLive(desk.now()));
      case TRAJECTORY -> is(Trajectory.TABLE, id, task -> !task.status().isTerminal());
      case AGENT, SCOPE, TURN, CHECKPOINT, WINDOW, SUBJECT -> true;
    };
  }

  private <T> boolean is(Table<T> table, String id, Predicate<T> wanted) {
    return desk.transaction().find(table, id).filter(wanted).isPresent();
  }

  Conflict move(MoveConflict command) {
    Agent agent = desk.view().agent(command.agent());
    Conflict conflict = desk.view().conflict(command.conflict());
    command.resolution().ifPresent(decided -> new WorkRules(desk).checkText(decided.reason()));
    boolean resolves = command.event() == ConflictStatus.Event.RESOLVE;
    if (resolves != command.resolution().isPresent()) {
      throw KernelException.invalidValue("resolution", "one, to resolve, and only then");
    }
    Conflict moved =
        desk.put(Conflict.TABLE, conflict.moved(command.event(), command.resolution(), desk.now()));
    desk.trace("conflict_" + Words.of(moved.status()), agent.id(), moved.id());
    if (command.event() == ConflictStatus.Event.ESCALATE) {
      agent.profile().reportsTo().ifPresent(superior -> tell(agent.id(), superior, moved.id()));
    }
    return moved;
  }

  /** The one that is open, or a new one. */
  Conflict seen(ReportConflict report) {
    String pair = Conflict.pair(report.type(), report.first(), report.second(), report.about());
    return desk.transaction()
        .first(Query.over(Conflict.TABLE, "open_pair").equal(pair))
        .orElseGet(() -> added(report));
  }

  private Conflict added(ReportConflict report) {
    Conflict conflict =
        new Conflict(
            desk.newId(),
            report.type(),
            report.first(),
            report.second(),
            report.about(),
            report.trajectory(),
            ConflictStatus.LIFE.initial(),
            Optional.empty(),
            desk.now(),
            Optional.empty());
    desk.trace("conflict_detected", report.agent(), conflict.id());
    return desk.put(Conflict.TABLE, conflict);
  }

  private void tell(AgentId from, AgentId superior, Id conflict) {
    String payload = Json.text(Map.of("conflict", conflict.toString()));
    mail.tell(
        SendMessage.of(from, Address.agent(superior), Letter.of("conflict", payload))
            .ranked(Priority.CRITICAL));
  }
}
