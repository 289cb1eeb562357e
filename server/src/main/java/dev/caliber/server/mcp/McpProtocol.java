package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.server.mcp.Reply.Outcome;
import dev.caliber.server.operation.AnswerText;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.Rooms;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers messages of the protocol. Nothing is remembered from one message to the next, so that any
 * of them can come by any way: a message that declares a revision in its {@code _meta} is answered
 * by that revision, any other as one of those that begin with a handshake.
 */
public final class McpProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(McpProtocol.class);
  private static final String INSTRUCTIONS =
      "Long-term memory. Call recall before you answer what may have come up before; call remember"
          + " for what should outlast this conversation; assemble_context composes what fits a"
          + " budget of tokens, and explain_context says why it is so. Where other agents work,"
          + " register once, lock what you change and write it with the lock's token as fence, and"
          + " read your inbox.";

  private final Tools tools;
  private final Resources resources;
  private final Prompts prompts;
  private final ChangeFeed feed;
  private final ServerConfig config;

  private McpProtocol(Operations operations, ChangeFeed feed, ServerConfig config) {
    this.tools = new Tools(operations);
    this.resources = new Resources(operations);
    this.prompts = new Prompts(operations);
    this.feed = feed;
    this.config = config;
  }

  /** Over operations that {@link #operations} are part of. */
  public static McpProtocol of(Operations operations, ChangeFeed feed, ServerConfig config) {
    return new McpProtocol(operations, feed, config);
  }

  /** Operations that only tools of this protocol have a use for. */
  public static List<Operation<?, ?>> operations(Rooms rooms) {
    return Stream.of(GraphOperations.of(rooms), PromptOperations.of(rooms))
        .<Operation<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** What to say to a message; with headers if its transport has them. */
  public Reply answer(byte[] body, Optional<Headers> headers, Caller caller) {
    Optional<JsonNode> id = Optional.empty();
    try {
      ObjectNode object = Message.object(body);
      id = Message.id(object);
      return answer(Message.of(object), headers, caller);
    } catch (McpException e) {
      return refused(id, e, Outcome.MALFORMED);
    }
  }

  private Reply answer(Message message, Optional<Headers> headers, Caller caller) {
    if (!message.isAnswered()) {
      return new Reply.Nothing();
    }
    boolean modern = isModern(message, headers);
    try {
      return modern ? modern(message, caller) : legacy(message, caller);
    } catch (McpException e) {
      boolean unknown = modern && e.number() == McpErrorCode.METHOD_NOT_FOUND;
      return refused(message.id(), e, unknown ? Outcome.UNKNOWN_METHOD : Outcome.ANSWERED);
    } catch (CaliberException e) {
      return failed(message, e);
    } catch (RuntimeException e) { // whatever it is, a client of this protocol reads JSON-RPC
      log(message, e);
      return refused(message.id(), McpException.internal(), Outcome.BROKEN);
    }
  }

  private static void log(Message message, RuntimeException e) {
    LOG.error(
        "MCP {}, request {}: {}",
        message.method(),
        RequestId.current().orElse("-"),
        FailureText.of(e));
  }

  /** Which of the two ways a message is answered; refuses revisions that are not spoken here. */
  private static boolean isModern(Message message, Optional<Headers> headers) {
    Optional<String> declared = message.declaredVersion();
    Optional<String> header = headers.flatMap(Headers::version);
    if (declared.isEmpty()) {
      return header.isPresent() && isModern(header.get(), message);
    }
    if (headers.isPresent()) {
      headers.get().check(message, declared.get());
    }
    return isModern(declared.get(), message);
  }

  private static boolean isModern(String version, Message message) {
    if (McpFormat.LEGACY_VERSIONS.contains(version)) {
      return false;
    }
    if (!version.equals(McpFormat.MODERN)) {
      throw McpException.unsupportedVersion(version);
    }
    if (message.declaredVersion().isEmpty()) {
      throw McpException.invalidParams("Wanted '%s' in _meta".formatted(McpFormat.VERSION_KEY));
    }
    if (!message.meta().path(McpFormat.CAPABILITIES_KEY).isObject()) {
      throw McpException.invalidParams(
          "Wanted '%s' as an object in _meta".formatted(McpFormat.CAPABILITIES_KEY));
    }
    return true;
  }

  private Reply modern(Message message, Caller caller) {
    return switch (message.method()) {
      case "subscriptions/listen" -> {
        caller.requireWholeSpace(message.method());
        yield new Reply.Stream(
            new Subscription(
                feed.head(caller.space()),
                new Limit("server.limits.page", config.limits().page()),
                message));
      }
      case "server/discover" -> complete(message, cached(discovery(), true));
      case "tools/list" -> complete(message, cached(toolList(message), true));
      case "tools/call" -> complete(message, tools.call(message, caller));
      case "resources/list" -> complete(message, cached(resources.list(message, caller), false));
      case "resources/templates/list" -> complete(message, cached(resources.templates(), true));
      case "resources/read" ->
          complete(message, cached(resources.read(message, caller, true), false));
      case "prompts/list" -> complete(message, cached(prompts.list(message, caller), false));
      case "prompts/get" -> complete(message, prompts.get(message, caller));
      default -> throw McpException.unknownMethod(message.method());
    };
  }

  private Reply legacy(Message message, Caller caller) {
    return switch (message.method()) {
      case "initialize" -> single(message, initialized(message));
      case "ping" -> single(message, Json.mapper().createObjectNode());
      case "tools/list" -> single(message, toolList(message));
      case "tools/call" -> single(message, tools.call(message, caller));
      case "resources/list" -> single(message, resources.list(message, caller));
      case "resources/templates/list" -> single(message, resources.templates());
      case "resources/read" -> single(message, resources.read(message, caller, false));
      case "prompts/list" -> single(message, prompts.list(message, caller));
      case "prompts/get" -> single(message, prompts.get(message, caller));
      default -> throw McpException.unknownMethod(message.method());
    };
  }

  private ObjectNode toolList(Message message) {
    if (message.optional("cursor").isPresent()) {
      throw McpException.invalidParams("The list of tools has one page: wanted no cursor");
    }
    ObjectNode result = Json.mapper().createObjectNode();
    result.set("tools", tools.list());
    return result;
  }

  private ObjectNode discovery() {
    ObjectNode result = Json.mapper().createObjectNode();
    McpFormat.VERSIONS.forEach(result.putArray("supportedVersions")::add);
    ObjectNode capabilities = capabilities();
    capabilities.withObject("resources").put("subscribe", true).put("listChanged", true);
    result.set("capabilities", capabilities);
    result.set("serverInfo", serverInfo());
    return result.put("instructions", INSTRUCTIONS);
  }

  /** The revision that was asked for if it is spoken here, else the newest with a handshake. */
  private static ObjectNode initialized(Message message) {
    String wanted = message.params().path("protocolVersion").asString("");
    ObjectNode result = Json.mapper().createObjectNode();
    result.put(
        "protocolVersion", McpFormat.LEGACY_VERSIONS.contains(wanted) ? wanted : McpFormat.LEGACY);
    result.set("capabilities", capabilities());
    result.set("serverInfo", serverInfo());
    return result.put("instructions", INSTRUCTIONS);
  }

  private static ObjectNode capabilities() {
    ObjectNode capabilities = Json.mapper().createObjectNode();
    capabilities.putObject("tools");
    capabilities.putObject("resources");
    capabilities.putObject("prompts");
    return capabilities;
  }

  private static ObjectNode serverInfo() {
    String version =
        Optional.ofNullable(McpProtocol.class.getPackage().getImplementationVersion())
            .orElse("development");
    return Json.mapper()
        .createObjectNode()
        .put("name", "caliber")
        .put("title", "Caliber")
        .put("version", version);
  }

  /** What is the same for everybody may be kept for a while; the rest changes at any time. */
  private ObjectNode cached(ObjectNode result, boolean common) {
    return result
        .put("ttlMs", common ? config.mcp().fresh().toMillis() : 0)
        .put("cacheScope", common ? "public" : "private");
  }

  private static Reply complete(Message message, ObjectNode result) {
    result.put("resultType", "complete");
    result.withObject(McpFormat.META).set(McpFormat.SERVER_KEY, serverInfo());
    return single(message, result);
  }

  private static Reply single(Message message, ObjectNode result) {
    ObjectNode response = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    response.set("id", message.id().orElseThrow());
    response.set("result", result);
    return new Reply.Single(Outcome.ANSWERED, response);
  }

  /** What an operation refused outside of a tool. */
  private static Reply failed(Message message, CaliberException e) {
    if (e.code().kind() == ErrorKind.INTERNAL) {
      log(message, e);
      return refused(message.id(), McpException.internal(), Outcome.BROKEN);
    }
    return refused(
        message.id(), McpException.invalidParams(AnswerText.report(e)), Outcome.ANSWERED);
  }

  private static Reply refused(Optional<JsonNode> id, McpException e, Outcome outcome) {
    ObjectNode response = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    id.ifPresent(known -> response.set("id", known));
    ObjectNode error = response.putObject("error");
    error.put("code", e.number().number()).put("message", e.message());
    e.data().ifPresent(data -> error.set("data", data));
    return new Reply.Single(outcome, response);
  }
}
