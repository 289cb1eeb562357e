package dev.caliber.server.operation;

import dev.caliber.agents.AcknowledgeMessage;
import dev.caliber.agents.Address;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.Letter;
import dev.caliber.agents.Message;
import dev.caliber.agents.MessageState;
import dev.caliber.agents.Needs;
import dev.caliber.agents.Part;
import dev.caliber.agents.Priority;
import dev.caliber.agents.ReceiveMessages;
import dev.caliber.agents.ReturnMessage;
import dev.caliber.agents.ReviveMessage;
import dev.caliber.agents.SendMessage;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What agents tell each other. */
final class MailOperations {
  private final Agents agents;
  private final AgentCommands commands;
  private final InstantSource clock;
  private final Pages pages;
  private final int batch;

  private MailOperations(Rooms rooms, Pages pages) {
    this.agents = rooms.agents();
    this.commands = new AgentCommands(rooms.agents());
    this.clock = rooms.clock();
    this.pages = pages;
    this.batch = rooms.agentsConfig().mail().batch();
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    MailOperations here = new MailOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        here.commands.operation(
            "send_message",
            "Sends a message to an agent, or to whoever of a type takes it first.",
            Send.class,
            Send::command,
            MailOperations::shown),
        Operation.reading(
                "inbox",
                "What waits for an agent and for its type, most important first; nothing is taken.",
                Inbox.class,
                here::inbox)
            .forAgents(input -> Needs.speakingFor(List.of(input.agent()))),
        Operation.<Receive, Listed<JsonNode>>writing(
                "receive_messages",
                "Takes the first messages for an agent; each comes back unless it is done.",
                Receive.class,
                here::receive)
            .whenRefused(
                (caller, input, refusal) ->
                    here.agents.refused(
                        caller.space(), new ReceiveMessages(input.agent(), 1), refusal))
            .forAgents(input -> Needs.speakingFor(List.of(input.agent()))),
        here.await(),
        here.commands
            .operation(
                "acknowledge_message",
                "Says that a message is done; again is harmless.",
                Mine.class,
                input -> new AcknowledgeMessage(input.agent(), input.id()),
                MailOperations::shown)
            .about(Message.TABLE, Mine::id),
        here.commands
            .operation(
                "return_message",
                "Gives a message back to its inbox at once.",
                Mine.class,
                input -> new ReturnMessage(input.agent(), input.id()),
                MailOperations::shown)
            .about(Message.TABLE, Mine::id),
        here.revive(),
        Operation.reading(
                "list_messages", "Messages by their state, oldest first.", Which.class, here::list)
            .forAgents(Needs.NOTHING),
        here.get());
  }

  private static JsonNode shown(Message message) {
    return AgentCommands.opened(message, "letter", "payload");
  }

  private static Listed<JsonNode> all(List<Message> messages) {
    return Listed.whole(messages.stream().map(MailOperations::shown).toList());
  }

  /** A message to be sent. */
  record Send(
      AgentId from,
      Address to,
      String type,
      Optional<JsonNode> payload,
      Optional<Id> trajectory,
      Optional<Id> scope,
      Optional<List<Id>> artifacts,
      Optional<Priority> priority,
      Optional<String> expiresIn,
      Optional<String> key) {
    SendMessage command() {
      JsonNode said = AgentCommands.said(payload).orElseGet(Json.mapper()::createObjectNode);
      Letter letter =
          new Letter(type, said.toString(), trajectory, scope, artifacts.orElse(List.of()));
      return new SendMessage(
          from,
          to,
          letter,
          priority.orElse(Priority.NORMAL),
          AgentCommands.time("expires_in", expiresIn),
          key);
    }
  }

  /** What waits for an agent. */
  record Inbox(AgentId agent, Optional<Integer> limit, Optional<String> cursor) {
    Pages.Wanted page() {
      return new Pages.Wanted(limit, cursor);
    }
  }

  private Listed<JsonNode> inbox(Caller caller, Inbox input) {
    return waiting(caller, Address.agent(input.agent()), input.page());
  }

  private Listed<JsonNode> waiting(Caller caller, Address by, Pages.Wanted page) {
    Instant now = clock.instant();
    int size = pages.size(page.limit());
    return Listed.of(
            agents.<Part<Message>>view(
                caller.space(), view -> view.waiting(by, now, page.cursor(), size)))
        .as(MailOperations::shown);
  }

  /** Messages to take, and those that are done; without a limit as many as one call may take. */
  record Receive(AgentId agent, Optional<Integer> limit, Optional<List<Id>> done) {}

  private List<AcknowledgeMessage> acknowledgements(Receive input) {
    return pages.bounded(input.done().orElse(List.of())).stream()
        .map(id -> new AcknowledgeMessage(input.agent(), id))
        .toList();
  }

  private Listed<JsonNode> receive(Transaction transaction, Caller caller, Receive input) {
    int limit = limit(input.limit());
    acknowledgements(input).forEach(done -> agents.run(transaction, done));
    return all(agents.run(transaction, new ReceiveMessages(input.agent(), limit)));
  }

  private int limit(Optional<Integer> wanted) {
    return wanted.isPresent() ? pages.size(wanted) : Math.min(batch, pages.size(wanted));
  }

  /** The same, waiting for the first. */
  record Await(
      AgentId agent, Optional<Integer> limit, Optional<List<Id>> done, Optional<String> atMost) {
    Receive receive() {
      return new Receive(agent, limit, done);
    }
  }

  private Operation<Await, Listed<JsonNode>> await() {
    return Operation.<Await, Listed<JsonNode>>lasting(
            "await_messages",
            "Takes messages as receive_messages does, and waits, at most so long, when there is none.",
            Await.class,
            this::await)
        .tracedInside()
        .forAgents(input -> Needs.speakingFor(List.of(input.agent())));
  }

  /** What is done is done, whether something comes or not. */
  private Listed<JsonNode> await(Caller caller, Await input) {
    int limit = limit(input.limit());
    Duration atMost = AgentCommands.time("at_most", input.atMost()).orElse(Duration.ZERO);
    acknowledgements(input.receive()).forEach(done -> agents.run(caller.space(), done));
    ReceiveMessages command = new ReceiveMessages(input.agent(), limit);
    return all(AgentCommands.waited(() -> agents.await(caller.space(), command, atMost)));
  }

  /** A message that an agent has. */
  record Mine(Id id, AgentId agent) {}

  private Operation<TrajectoryOperations.Named, JsonNode> revive() {
    return Operation.<TrajectoryOperations.Named, JsonNode>writing(
            "revive_message",
            "Puts a dead letter back into its inbox: its deliveries and its time begin anew.",
            TrajectoryOperations.Named.class,
            (transaction, caller, input) ->
                shown(agents.run(transaction, new ReviveMessage(input.id(), caller.actor()))))
        .about(Message.TABLE, TrajectoryOperations.Named::id)
        .whenRefused(
            (caller, input, refusal) ->
                agents.refused(
                    caller.space(), new ReviveMessage(input.id(), caller.actor()), refusal));
  }

  /** Which messages: in a state, about a task, or all; or those that wait for a type. */
  record Which(
      Optional<MessageState> state,
      Optional<Id> trajectory,
      Optional<AgentId> from,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type) {
    Query<Message> query() {
      return walk()
          .where(
              message ->
                  state.filter(wanted -> wanted != message.state()).isEmpty()
                      && from.filter(agent -> !agent.equals(message.from())).isEmpty());
    }

    private Query<Message> walk() {
      return trajectory
          .map(id -> Query.over(Message.TABLE, "trajectory").equal(id))
          .or(
              () ->
                  state.map(
                      one -> Query.over(Message.TABLE, "state", "sequence").equal(one.name())))
          .orElseGet(() -> Query.over(Message.TABLE));
    }
  }

  private Listed<JsonNode> list(Caller caller, Which which) {
    Pages.Wanted page = new Pages.Wanted(which.limit(), which.cursor());
    if (which.type().isPresent()) {
      Inputs.requireAlone("type", which.state(), which.trajectory(), which.from());
      return waiting(caller, Address.type(which.type().get()), page);
    }
    return pages.read(caller, which.query(), page).as(MailOperations::shown);
  }

  private Operation<TrajectoryOperations.Named, JsonNode> get() {
    return Operation.<TrajectoryOperations.Named, JsonNode>reading(
            "get_message",
            "A message and how far it came.",
            TrajectoryOperations.Named.class,
            (caller, input) -> shown(agents.view(caller.space(), view -> view.message(input.id()))))
        .about(Message.TABLE, TrajectoryOperations.Named::id)
        .forAgents(Needs.NOTHING);
  }
}
