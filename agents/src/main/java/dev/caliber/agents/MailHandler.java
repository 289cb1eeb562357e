package dev.caliber.agents;

import dev.caliber.agents.command.AcknowledgeMessage;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RequeueMessage;
import dev.caliber.agents.command.ReturnMessage;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessageDelivery;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.EnumNames;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Query;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Handles commands on messages. */
final class MailHandler {
  static final Comparator<Message> ORDER =
      Comparator.comparing(Message::priority)
          .thenComparingLong(Message::sequence)
          .thenComparing(Message::id);

  private final AgentsUnitOfWork unitOfWork;
  private final AgentsConfig.MessageSettings rules;
  private final DueWorkScheduler dueWorkScheduler;

  MailHandler(AgentsUnitOfWork agentsUnitOfWork) {
    this.unitOfWork = agentsUnitOfWork;
    this.rules = agentsUnitOfWork.config().messages();
    this.dueWorkScheduler = new DueWorkScheduler(agentsUnitOfWork);
  }

  Message send(SendMessage command) {
    unitOfWork.activeAgent(command.from());
    Optional<Message> same = command.key().flatMap(key -> findSent(command.from(), key));
    if (same.isPresent()) {
      return requireSame(same.get(), command);
    }
    requireRecipient(command.to());
    checkContent(command.letter());
    requireInboxCapacity(command.to().inbox());
    return sendUnchecked(command);
  }

  /**
   * Sends without checks of the recipient and the inbox; for notifications that must not be
   * refused.
   */
  Message sendUnchecked(SendMessage command) {
    Message message =
        new Message(
            unitOfWork.newId(),
            unitOfWork.transaction().revision(),
            command.from(),
            command.to(),
            command.letter(),
            command.priority(),
            command.lasting().map(unitOfWork.now()::plus),
            command.key(),
            MessageDelivery.NEW,
            unitOfWork.now());
    message.expiresAt().ifPresent(dueWorkScheduler::scheduleUnlessSooner);
    return saveAndTrace(message, "message_sent", message.from());
  }

  List<Message> receive(ReceiveMessages command) {
    Agent agent = unitOfWork.activeAgent(command.agent());
    new Limit("agents.messages.batch", rules.batch()).requireWithin("limit", command.limit());
    List<Message> taken =
        unitOfWork.view().waitingMessages(agent, unitOfWork.now(), command.limit()).stream()
            .map(message -> deliverTo(message, agent))
            .toList();
    if (!taken.isEmpty()) {
      dueWorkScheduler.scheduleUnlessSooner(unitOfWork.now().plus(rules.acknowledgementTimeout()));
    }
    return taken;
  }

  Message acknowledge(AcknowledgeMessage command) {
    Message message = claimedMessage(command.agent(), command.id());
    if (message.state() == MessageState.ACKNOWLEDGED) {
      return message;
    }
    requireDelivered(message);
    return saveAndTrace(
        message.withDelivery(message.delivery().withAcknowledgement(unitOfWork.now())),
        "message_acknowledged",
        command.agent());
  }

  Message returnMessage(ReturnMessage command) {
    Message message = claimedMessage(command.agent(), command.id());
    requireDelivered(message);
    return returnToInbox(message);
  }

  Message requeue(RequeueMessage command) {
    Message dead = unitOfWork.view().message(command.message());
    Message revived = dead.withRequeue(unitOfWork.now());
    requireRecipient(dead.to());
    requireInboxCapacity(dead.to().inbox());
    revived.expiresAt().ifPresent(dueWorkScheduler::scheduleUnlessSooner);
    unitOfWork.trace("message_requeued", AgentId.SYSTEM, dead.id() + " by " + command.by());
    return unitOfWork.put(Message.TABLE, revived);
  }

  /**
   * Returns unacknowledged messages to their inboxes, and expires old messages and dead letters;
   * returns their number.
   */
  int processDueMessages(int batch) {
    List<Message> due =
        unitOfWork
            .transaction()
            .list(Query.over(Message.TABLE, "due_at").due(unitOfWork.now()), batch);
    due.forEach(this::returnToInbox);
    Instant before = unitOfWork.now().minus(rules.deadLetterRetention());
    List<Message> dead =
        unitOfWork.transaction().list(Query.over(Message.TABLE, "dead_since").due(before), batch);
    dead.forEach(this::expire);
    return due.size() + dead.size();
  }

  /** Expires a message. */
  Message expire(Message message) {
    return applyTransition(message, MessageState.MessageTransition.EXPIRE, "message_expired");
  }

  /** Removes messages that ended before the retention; returns their number. */
  int removeOldMessages(int batch) {
    return AgentsCleanup.removeOldMessages(
        unitOfWork.transaction(), unitOfWork.coordination(), batch);
  }

  private Message deliverTo(Message message, Agent agent) {
    Instant until = unitOfWork.now().plus(rules.acknowledgementTimeout());
    MessageDelivery messageDelivery =
        message.delivery().withClaim(agent.id(), unitOfWork.now(), until);
    return saveAndTrace(message.withDelivery(messageDelivery), "message_delivered", agent.id());
  }

  private Message returnToInbox(Message message) {
    if (message.isExpired(unitOfWork.now())) {
      return expire(message);
    }
    return message.delivery().attempts() >= rules.maxDeliveries()
        ? applyTransition(message, MessageState.MessageTransition.GIVE_UP, "message_dead_lettered")
        : applyTransition(message, MessageState.MessageTransition.RETURN, "message_returned");
  }

  private Message applyTransition(
      Message message, MessageState.MessageTransition messageTransition, String name) {
    Message moved =
        message.withDelivery(
            message.delivery().withStateAfter(messageTransition, unitOfWork.now()));
    moved
        .expiresAt()
        .filter(_ -> !moved.state().isEnded())
        .ifPresent(dueWorkScheduler::scheduleUnlessSooner);
    return saveAndTrace(moved, name, message.from());
  }

  private Message saveAndTrace(Message message, String event, AgentId agent) {
    unitOfWork.put(Message.TABLE, message);
    unitOfWork.trace(event, agent, message.id());
    return message;
  }

  private Optional<Message> findSent(AgentId from, String key) {
    return unitOfWork
        .transaction()
        .first(Query.over(Message.TABLE, "send_key").equal(Message.sendKey(from, key)));
  }

  /** Refuses a reused key for another message, which would be lost otherwise. */
  private static Message requireSame(Message sent, SendMessage command) {
    if (!sent.to().equals(command.to()) || !sent.letter().hasSameContent(command.letter())) {
      throw AgentsException.keyReused(sent.id());
    }
    return sent;
  }

  private void requireRecipient(Recipient to) {
    boolean there =
        to.agent()
            .map(id -> unitOfWork.view().findAgent(id).filter(to::includes).isPresent())
            .orElseGet(() -> unitOfWork.view().hasType(to.type().orElseThrow()));
    if (!there) {
      throw AgentsException.noRecipient(to);
    }
  }

  private void checkContent(MessageContent messageContent) {
    new Limit("agents.messages.payload-limit", rules.payloadLimit().bytes())
        .requireWithin(messageContent.payload().getBytes(StandardCharsets.UTF_8).length);
    new TaskAssignmentRules(unitOfWork).checkItems(messageContent.artifacts());
    messageContent.trajectory().ifPresent(unitOfWork.memoryView()::trajectory);
    messageContent.scope().ifPresent(unitOfWork.memoryView()::scope);
    messageContent.artifacts().forEach(unitOfWork.memoryView()::artifact);
  }

  /** Counts claimed messages as well, because they may come back. */
  private void requireInboxCapacity(String inbox) {
    if (unitOfWork.transaction().count(Message.queryOpenIn(inbox)) >= rules.inboxLimit()) {
      throw AgentsException.inboxFull(inbox, rules.inboxLimit());
    }
  }

  private Message claimedMessage(AgentId agent, Id id) {
    unitOfWork.view().agent(agent);
    Message message = unitOfWork.view().message(id);
    if (message.delivery().claimer().filter(agent::equals).isEmpty()) {
      throw AgentsException.accessDenied(agent, "answer for", "the message " + id);
    }
    return message;
  }

  private static void requireDelivered(Message message) {
    if (message.state() != MessageState.DELIVERED) {
      throw AgentsException.messageNotDelivered(
          message.id(), "it is " + EnumNames.lowerCaseName(message.state()));
    }
  }
}
