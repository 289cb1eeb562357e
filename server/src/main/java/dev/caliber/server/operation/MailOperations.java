package dev.caliber.server.operation;

import dev.caliber.agents.Agents;
import dev.caliber.agents.command.AcknowledgeMessage;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RequeueMessage;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.command.ReturnMessage;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessagePriority;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.agents.registry.ResultPage;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.TrajectoryOperations.RecordIdRequest;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Query;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The operations on messages between agents. */
final class MailOperations {
  private final Agents agents;
  private final AgentCommandOperations commands;
  private final InstantSource clock;
  private final PageReader pageReader;
  private final int batch;

  private MailOperations(ServerModules modules, PageReader pageReader) {
    this.agents = modules.agents();
    this.commands = new AgentCommandOperations(modules.agents());
    this.clock = modules.clock();
    this.pageReader = pageReader;
    this.batch = modules.agentsConfig().messages().batch();
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    MailOperations here = new MailOperations(modules, PageReader.of(modules, limits));
    return List.of(
        here.commands.operation(
            "send_message",
            SendMessageRequest.class,
            SendMessageRequest::command,
            MailOperations::toJson),
        Operation.readOnly("list_inbox", InboxRequest.class, here::listInbox)
            .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent()))),
        Operation.transactional(
                "receive_messages", ReceiveMessagesRequest.class, here::receiveMessages)
            .withRefusalRecorder(
                (caller, input, refusal) ->
                    here.agents.recordRefusal(
                        caller.space(), new ReceiveMessages(input.agent(), 1), refusal))
            .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent()))),
        Operation.longRunning("await_messages", AwaitMessagesRequest.class, here::awaitMessages)
            .withOwnRefusalTrace()
            .forAgents(input -> RequiredPermissions.forAgents(List.of(input.agent()))),
        here.commands
            .operation("acknowledge_message", AcknowledgeMessage.class, MailOperations::toJson)
            .withTarget(Message.TABLE, AcknowledgeMessage::id),
        here.commands
            .operation("return_message", ReturnMessage.class, MailOperations::toJson)
            .withTarget(Message.TABLE, ReturnMessage::id),
        here.commands
            .operatorOperation(
                "requeue_message",
                RecordIdRequest.class,
                (caller, input) -> new RequeueMessage(input.id(), caller.actor()),
                MailOperations::toJson)
            .withTarget(Message.TABLE, RecordIdRequest::id),
        Operation.readOnly("list_messages", ListMessagesRequest.class, here::listMessages)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_message",
                RecordIdRequest.class,
                (caller, input) ->
                    toJson(here.agents.view(caller.space(), view -> view.message(input.id()))))
            .withTarget(Message.TABLE, RecordIdRequest::id)
            .forAgents(RequiredPermissions.NOTHING));
  }

  private static JsonNode toJson(Message message) {
    return AgentCommandOperations.withParsedJson(message, "letter", "payload");
  }

  private static PageResponse<JsonNode> toResponse(List<Message> messages) {
    return PageResponse.ofAll(messages.stream().map(MailOperations::toJson).toList());
  }

  /** The request to send a message. */
  record SendMessageRequest(
      AgentId from,
      Recipient to,
      String type,
      Optional<JsonNode> payload,
      Optional<Id> trajectory,
      Optional<Id> scope,
      List<Id> artifacts,
      Optional<MessagePriority> priority,
      Optional<Duration> expiresIn,
      Optional<String> key) {
    SendMessage command() {
      JsonNode content =
          AgentCommandOperations.presentJson(payload).orElseGet(Json.mapper()::createObjectNode);
      MessageContent messageContent =
          new MessageContent(type, content.toString(), trajectory, scope, artifacts);
      return new SendMessage(
          from, to, messageContent, priority.orElse(MessagePriority.NORMAL), expiresIn, key);
    }
  }

  /** The request to list an agent's inbox. */
  record InboxRequest(AgentId agent, Optional<Integer> limit, Optional<String> cursor)
      implements PageReader.PageRequest {}

  private PageResponse<JsonNode> listInbox(Caller caller, InboxRequest input) {
    return listWaiting(caller, Recipient.ofAgent(input.agent()), input);
  }

  private PageResponse<JsonNode> listWaiting(
      Caller caller, Recipient by, PageReader.PageRequest page) {
    Instant now = clock.instant();
    int size = pageReader.pageSize(page.limit());
    return PageResponse.of(
            agents.<ResultPage<Message>>view(
                caller.space(), view -> view.waitingMessages(by, now, page.cursor(), size)))
        .map(MailOperations::toJson);
  }

  /**
   * The request to receive messages and to acknowledge earlier ones ({@code done}); the default
   * limit is the most that one call may take.
   */
  record ReceiveMessagesRequest(AgentId agent, Optional<Integer> limit, List<Id> done) {}

  private List<AcknowledgeMessage> acknowledgements(ReceiveMessagesRequest input) {
    return pageReader.requireWithinPage(input.done()).stream()
        .map(id -> new AcknowledgeMessage(input.agent(), id))
        .toList();
  }

  private PageResponse<JsonNode> receiveMessages(
      Transaction transaction, Caller caller, ReceiveMessagesRequest input) {
    int limit = receiveLimit(input.limit());
    acknowledgements(input).forEach(done -> agents.run(transaction, done));
    return toResponse(agents.run(transaction, new ReceiveMessages(input.agent(), limit)));
  }

  private int receiveLimit(Optional<Integer> wanted) {
    return wanted.isPresent()
        ? pageReader.pageSize(wanted)
        : Math.min(batch, pageReader.pageSize(wanted));
  }

  /** The request to receive messages that waits until there is one. */
  record AwaitMessagesRequest(
      AgentId agent, Optional<Integer> limit, List<Id> done, Optional<Duration> atMost) {
    ReceiveMessagesRequest toReceiveRequest() {
      return new ReceiveMessagesRequest(agent, limit, done);
    }
  }

  /** Acknowledges first, whether or not a message arrives. */
  private PageResponse<JsonNode> awaitMessages(Caller caller, AwaitMessagesRequest input) {
    int limit = receiveLimit(input.limit());
    Duration atMost = input.atMost().orElse(Duration.ZERO);
    acknowledgements(input.toReceiveRequest()).forEach(done -> agents.run(caller.space(), done));
    ReceiveMessages command = new ReceiveMessages(input.agent(), limit);
    return toResponse(
        AgentCommandOperations.callInterruptibly(
            () -> agents.awaitMessages(caller.space(), command, atMost)));
  }

  /**
   * The filter of the message list: by state, by trajectory, or all; or the inbox of an agent type.
   */
  record ListMessagesRequest(
      Optional<MessageState> state,
      Optional<Id> trajectory,
      Optional<AgentId> from,
      Optional<Integer> limit,
      Optional<String> cursor,
      Optional<String> type)
      implements PageReader.PageRequest {
    Query<Message> query() {
      return indexQuery()
          .where(
              message ->
                  state.filter(wanted -> wanted != message.state()).isEmpty()
                      && from.filter(agent -> !agent.equals(message.from())).isEmpty());
    }

    private Query<Message> indexQuery() {
      return trajectory
          .map(id -> Query.over(Message.TABLE, "trajectory").equal(id))
          .or(
              () ->
                  state.map(
                      one -> Query.over(Message.TABLE, "state", "sequence").equal(one.name())))
          .orElseGet(() -> Query.over(Message.TABLE));
    }
  }

  private PageResponse<JsonNode> listMessages(Caller caller, ListMessagesRequest input) {
    if (input.type().isPresent()) {
      InputReader.requireExclusive("type", input.state(), input.trajectory(), input.from());
      return listWaiting(caller, Recipient.ofType(input.type().get()), input);
    }
    return pageReader.read(caller, input.query(), input).map(MailOperations::toJson);
  }
}
