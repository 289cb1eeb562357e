package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Query;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Decides where messages are. */
final class MailWork {
  static final Comparator<Message> ORDER =
      Comparator.comparing(Message::priority)
          .thenComparingLong(Message::sequence)
          .thenComparing(Message::id);

  private final Desk desk;
  private final AgentsConfig.Mail rules;
  private final Alarm alarm;

  MailWork(Desk desk) {
    this.desk = desk;
    this.rules = desk.config().mail();
    this.alarm = new Alarm(desk);
  }

  Message send(SendMessage command) {
    desk.acting(command.from());
    Optional<Message> same = command.key().flatMap(key -> sent(command.from(), key));
    if (same.isPresent()) {
      return requireSame(same.get(), command);
    }
    requireSomebody(command.to());
    check(command.letter());
    requireRoom(command.to().inbox());
    return tell(command);
  }

  /** The same where somebody has to hear of it, whether or not there is room. */
  Message tell(SendMessage command) {
    Message message =
        new Message(
            desk.newId(),
            desk.transaction().revision(),
            command.from(),
            command.to(),
            command.letter(),
            command.priority(),
            command.lasting().map(desk.now()::plus),
            command.key(),
            Delivery.NEW,
            desk.now());
    message.expiresAt().ifPresent(alarm::arm);
    return put(message, "message_sent", message.from());
  }

  List<Message> receive(ReceiveMessages command) {
    Agent agent = desk.acting(command.agent());
    new Limit("agents.mail.batch", rules.batch()).check("limit", command.limit());
    List<Message> taken =
        desk.view().waiting(agent, desk.now(), command.limit()).stream()
            .map(message -> taken(message, agent))
            .toList();
    if (!taken.isEmpty()) {
      alarm.arm(desk.now().plus(rules.acknowledgement()));
    }
    return taken;
  }

  Message acknowledge(AcknowledgeMessage command) {
    Message message = mine(command.agent(), command.message());
    if (message.state() == MessageState.ACKNOWLEDGED) {
      return message;
    }
    requireDelivered(message);
    return put(
        message.with(message.delivery().acknowledged(desk.now())),
        "message_acknowledged",
        command.agent());
  }

  Message giveBack(ReturnMessage command) {
    Message message = mine(command.agent(), command.message());
    requireDelivered(message);
    return back(message);
  }

  Message revive(ReviveMessage command) {
    Message dead = desk.view().message(command.message());
    Message revived = dead.revived(desk.now());
    requireSomebody(dead.to());
    requireRoom(dead.to().inbox());
    revived.expiresAt().ifPresent(alarm::arm);
    desk.trace("message_revived", Desk.SYSTEM, dead.id() + " by " + command.by());
    return desk.put(Message.TABLE, revived);
  }

  /**
   * Messages that were not acknowledged, not taken or, as dead letters, not revived in time; how
   * many there were.
   */
  int moveDue(int batch) {
    List<Message> due = desk.rows().due(Query.over(Message.TABLE, "due_at"), desk.now(), batch);
    due.forEach(this::back);
    Instant before = desk.now().minus(rules.deadLetters());
    List<Message> dead = desk.rows().due(Query.over(Message.TABLE, "dead_since"), before, batch);
    dead.forEach(this::expire);
    return due.size() + dead.size();
  }

  /** Nobody is there any more who could take it. */
  Message expire(Message message) {
    return moved(message, MessageState.Event.EXPIRE, "message_expired");
  }

  /** Messages that ended long ago; how many there were. */
  int removeOld(int batch) {
    return AgentsCleanup.mail(desk.transaction(), desk.view(), desk.coordination(), batch);
  }

  private Message taken(Message message, Agent agent) {
    Instant until = desk.now().plus(rules.acknowledgement());
    Delivery delivery = message.delivery().to(agent.id(), desk.now(), until);
    return put(message.with(delivery), "message_delivered", agent.id());
  }

  private Message back(Message message) {
    if (message.isExpired(desk.now())) {
      return expire(message);
    }
    return message.delivery().attempts() >= rules.deliveries()
        ? moved(message, MessageState.Event.GIVE_UP, "message_dead")
        : moved(message, MessageState.Event.RETURN, "message_returned");
  }

  private Message moved(Message message, MessageState.Event event, String name) {
    Message moved = message.with(message.delivery().after(event, desk.now()));
    moved.expiresAt().filter(_ -> !moved.state().isEnded()).ifPresent(alarm::arm);
    return put(moved, name, message.from());
  }

  private Message put(Message message, String event, AgentId agent) {
    desk.put(Message.TABLE, message);
    desk.trace(event, agent, message.id());
    return message;
  }

  private Optional<Message> sent(AgentId from, String key) {
    return desk.transaction()
        .first(Query.over(Message.TABLE, "send_key").equal(Message.keyOf(from, key)));
  }

  /** One key is for one message: another would be lost without a word. */
  private static Message requireSame(Message sent, SendMessage command) {
    if (!sent.to().equals(command.to()) || !sent.letter().says(command.letter())) {
      throw AgentsException.keyReused(sent);
    }
    return sent;
  }

  private void requireSomebody(Address to) {
    boolean there =
        to.agent()
            .map(id -> desk.view().find(id).filter(to::includes).isPresent())
            .orElseGet(() -> desk.view().hasType(to.type().orElseThrow()));
    if (!there) {
      throw AgentsException.undeliverable(to);
    }
  }

  private void check(Letter letter) {
    new Limit("agents.mail.payload", rules.payload().bytes())
        .check(letter.payload().getBytes(StandardCharsets.UTF_8).length);
    new WorkRules(desk).checkItems(letter.artifacts());
    letter.trajectory().ifPresent(desk.memoryView()::trajectory);
    letter.scope().ifPresent(desk.memoryView()::scope);
    letter.artifacts().forEach(desk.memoryView()::artifact);
  }

  /** What was taken may come back, so that it counts until it has ended. */
  private void requireRoom(String inbox) {
    if (desk.transaction().count(Message.openIn(inbox)) >= rules.inbox()) {
      throw AgentsException.inboxFull(inbox, rules.inbox());
    }
  }

  private Message mine(AgentId agent, Id id) {
    desk.view().agent(agent);
    Message message = desk.view().message(id);
    if (message.delivery().claimer().filter(agent::equals).isEmpty()) {
      throw AgentsException.denied(agent, "answer for", "the message " + id);
    }
    return message;
  }

  private static void requireDelivered(Message message) {
    if (message.state() != MessageState.DELIVERED) {
      throw AgentsException.undelivered(message.id(), "it is " + Words.of(message.state()));
    }
  }
}
