package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.KernelException;
import dev.caliber.store.Query;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  List<Conflict> detect(DetectConflicts command) {
    desk.view().agent(command.agent());
    new Detection(desk, command).find().forEach(this::seen);
    return desk.view().unresolved(command.trajectory());
  }

  Conflict move(MoveConflict command) {
    Agent agent = desk.view().agent(command.agent());
    Conflict conflict = desk.view().conflict(command.conflict());
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
    String pair = Conflict.pair(report.type(), report.first(), report.second());
    Optional<Conflict> known =
        Rows.upTo(desk.transaction(), Query.over(Conflict.TABLE, "open_pair").equal(pair), 1)
            .stream()
            .findFirst();
    return known.orElseGet(() -> added(report));
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
    mail.send(
        SendMessage.of(from, Address.agent(superior), Letter.of("conflict", payload))
            .ranked(Priority.CRITICAL));
  }
}
