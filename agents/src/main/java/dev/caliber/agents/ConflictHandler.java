package dev.caliber.agents;

import dev.caliber.agents.command.ReportConflict;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.TransitionConflict;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictStatus;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessagePriority;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.agents.registry.Recipient;
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

/** Handles commands that report and resolve conflicts. */
final class ConflictHandler {
  private final AgentsUnitOfWork unitOfWork;
  private final MailHandler mail;

  ConflictHandler(AgentsUnitOfWork agentsUnitOfWork, MailHandler mail) {
    this.unitOfWork = agentsUnitOfWork;
    this.mail = mail;
  }

  Conflict report(ReportConflict command) {
    unitOfWork.view().agent(command.agent());
    new TaskAssignmentRules(unitOfWork).checkText(command.about());
    return findOrAdd(command);
  }

  /** Records conflicts that were found before this commit, if both sides are still relevant. */
  List<Conflict> recordDetected(List<ReportConflict> reports) {
    return reports.stream()
        .filter(report -> isStillRelevant(report.first()) && isStillRelevant(report.second()))
        .map(this::findOrAdd)
        .toList();
  }

  /**
   * Checks that the record is still believed, live or open; that may have changed since the search.
   */
  private boolean isStillRelevant(Conflict.ConflictSide conflictSide) {
    String id = conflictSide.record().id();
    return switch (conflictSide.record().type()) {
      case NOTE -> hasRecord(Note.TABLE, id, Note::isBelieved);
      case ARTIFACT -> hasRecord(Artifact.TABLE, id, artifact -> artifact.isLive(unitOfWork.now()));
      case TRAJECTORY -> hasRecord(Trajectory.TABLE, id, task -> !task.status().isTerminal());
      case AGENT, SCOPE, TURN, CHECKPOINT, WINDOW, SUBJECT -> true;
    };
  }

  private <T> boolean hasRecord(Table<T> table, String id, Predicate<T> wanted) {
    return unitOfWork.transaction().find(table, id).filter(wanted).isPresent();
  }

  Conflict transition(TransitionConflict command) {
    Agent agent = unitOfWork.view().agent(command.agent());
    Conflict conflict = unitOfWork.view().conflict(command.conflict());
    command
        .resolution()
        .ifPresent(decided -> new TaskAssignmentRules(unitOfWork).checkText(decided.reason()));
    boolean resolves = command.event() == ConflictStatus.ConflictTransition.RESOLVE;
    if (resolves != command.resolution().isPresent()) {
      throw KernelException.invalidValue(
          "resolution",
          "a conflict is resolved with a resolution; no other event takes a resolution");
    }
    Conflict moved =
        unitOfWork.put(
            Conflict.TABLE,
            conflict.withStatusAfter(command.event(), command.resolution(), unitOfWork.now()));
    unitOfWork.trace("conflict_" + EnumNames.lowerCaseName(moved.status()), agent.id(), moved.id());
    if (command.event() == ConflictStatus.ConflictTransition.ESCALATE) {
      agent
          .profile()
          .reportsTo()
          .ifPresent(superior -> notifySuperior(agent.id(), superior, moved.id()));
    }
    return moved;
  }

  /** Returns the open conflict of this pair, or adds one. */
  Conflict findOrAdd(ReportConflict report) {
    String pair = Conflict.pairKey(report.type(), report.first(), report.second(), report.about());
    return unitOfWork
        .transaction()
        .first(Query.over(Conflict.TABLE, "open_pair").equal(pair))
        .orElseGet(() -> addConflict(report));
  }

  private Conflict addConflict(ReportConflict report) {
    Conflict conflict =
        new Conflict(
            unitOfWork.newId(),
            report.type(),
            report.first(),
            report.second(),
            report.about(),
            report.trajectory(),
            ConflictStatus.LIFE.initial(),
            Optional.empty(),
            unitOfWork.now(),
            Optional.empty());
    unitOfWork.trace("conflict_detected", report.agent(), conflict.id());
    return unitOfWork.put(Conflict.TABLE, conflict);
  }

  private void notifySuperior(AgentId from, AgentId superior, Id conflict) {
    String payload = Json.text(Map.of("conflict", conflict.toString()));
    mail.sendUnchecked(
        SendMessage.of(from, Recipient.ofAgent(superior), MessageContent.of("conflict", payload))
            .withPriority(MessagePriority.CRITICAL));
  }
}
