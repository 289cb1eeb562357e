package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.server.mcp.McpReply.ReplyOutcome;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.PublicErrorText;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerModules;
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
 * The protocol's server side. It keeps no state between messages, so that each may arrive by any
 * transport: a message that declares a revision in its {@code _meta} is answered by that revision,
 * any other as one of the revisions with a handshake.
 */
public final class McpProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(McpProtocol.class);
  private static final String INSTRUCTIONS =
      "Long-term memory. Call recall before you answer what may have come up before; call remember"
          + " for what should outlast this conversation; assemble_context composes what fits a"
          + " budget of tokens, and explain_window says why it is so. Where other agents work,"
          + " call register_agent once, acquire_lease for"
          + " what you change and write it with the lease's token as fence, and"
          + " read your inbox with receive_messages.";

  private final McpTools mcpTools;
  private final McpResources mcpResources;
  private final McpPrompts mcpPrompts;
  private final ChangeFeed feed;
  private final ServerConfig config;

  private McpProtocol(
      OperationDispatcher operationDispatcher, ChangeFeed feed, ServerConfig config) {
    this.mcpTools = new McpTools(operationDispatcher);
    this.mcpResources = new McpResources(operationDispatcher);
    this.mcpPrompts = new McpPrompts(operationDispatcher);
    this.feed = feed;
    this.config = config;
  }

  /** Uses operations that include {@link #operations}. */
  public static McpProtocol of(
      OperationDispatcher operationDispatcher, ChangeFeed feed, ServerConfig config) {
    return new McpProtocol(operationDispatcher, feed, config);
  }

  /** The operations that only tools of this protocol use. */
  public static List<Operation<?, ?>> operations(ServerModules serverModules) {
    return Stream.of(
            GraphOperations.operations(serverModules), PromptOperations.operations(serverModules))
        .<Operation<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** Answers a message; the headers are present if its transport has them. */
  public McpReply answer(byte[] body, Optional<McpHeaders> headers, Caller caller) {
    Optional<JsonNode> id = Optional.empty();
    try {
      ObjectNode object = JsonRpcMessage.parseObject(body);
      id = JsonRpcMessage.parseId(object);
      return answer(JsonRpcMessage.of(object), headers, caller);
    } catch (McpException e) {
      return errorReply(id, e, ReplyOutcome.MALFORMED);
    }
  }

  private McpReply answer(
      JsonRpcMessage jsonRpcMessage, Optional<McpHeaders> headers, Caller caller) {
    if (!jsonRpcMessage.isReplyExpected()) {
      return new McpReply.NoReply();
    }
    boolean modern = isModern(jsonRpcMessage, headers);
    try {
      return modern ? answerModern(jsonRpcMessage, caller) : answerLegacy(jsonRpcMessage, caller);
    } catch (McpException e) {
      boolean unknown = modern && e.errorCode() == McpErrorCode.METHOD_NOT_FOUND;
      return errorReply(
          jsonRpcMessage.id(), e, unknown ? ReplyOutcome.UNKNOWN_METHOD : ReplyOutcome.ANSWERED);
    } catch (CaliberException e) {
      return failureReply(jsonRpcMessage, e);
    } catch (RuntimeException e) { // any failure: a client of this protocol reads only JSON-RPC
      logFailure(jsonRpcMessage, e);
      return errorReply(jsonRpcMessage.id(), McpException.internal(), ReplyOutcome.BROKEN);
    }
  }

  private static void logFailure(JsonRpcMessage jsonRpcMessage, RuntimeException e) {
    LOG.error(
        "MCP {}, request {}: {}",
        jsonRpcMessage.method(),
        RequestId.current().orElse("-"),
        FailureText.describe(e));
  }

  /** Returns whether the message is answered without a handshake; refuses unsupported revisions. */
  private static boolean isModern(JsonRpcMessage jsonRpcMessage, Optional<McpHeaders> headers) {
    Optional<String> declared = jsonRpcMessage.declaredVersion();
    Optional<String> header = headers.flatMap(McpHeaders::version);
    if (declared.isEmpty()) {
      return header.isPresent() && isModern(header.get(), jsonRpcMessage);
    }
    if (headers.isPresent()) {
      headers.get().checkAgainst(jsonRpcMessage, declared.get());
    }
    return isModern(declared.get(), jsonRpcMessage);
  }

  private static boolean isModern(String version, JsonRpcMessage jsonRpcMessage) {
    if (McpConstants.LEGACY_VERSIONS.contains(version)) {
      return false;
    }
    if (!version.equals(McpConstants.MODERN)) {
      throw McpException.unsupportedVersion(version);
    }
    if (jsonRpcMessage.declaredVersion().isEmpty()) {
      throw McpException.invalidParams(
          "'%s' is missing in _meta".formatted(McpConstants.VERSION_KEY));
    }
    if (!jsonRpcMessage.meta().path(McpConstants.CAPABILITIES_KEY).isObject()) {
      throw McpException.invalidParams(
          "'%s' in _meta has to be an object".formatted(McpConstants.CAPABILITIES_KEY));
    }
    return true;
  }

  private McpReply answerModern(JsonRpcMessage jsonRpcMessage, Caller caller) {
    return switch (jsonRpcMessage.method()) {
      case "subscriptions/listen" -> {
        caller.requireWholeSpace(jsonRpcMessage.method());
        yield new McpReply.StreamReply(
            new ResourceSubscription(
                feed.head(caller.space()),
                new Limit("server.limits.page-size", config.limits().pageSize()),
                jsonRpcMessage));
      }
      case "server/discover" ->
          completeReply(jsonRpcMessage, withCacheHints(discoveryResult(), true));
      case "tools/list" ->
          completeReply(jsonRpcMessage, withCacheHints(toolList(jsonRpcMessage), true));
      case "tools/call" -> completeReply(jsonRpcMessage, mcpTools.callTool(jsonRpcMessage, caller));
      case "resources/list" ->
          completeReply(
              jsonRpcMessage, withCacheHints(mcpResources.list(jsonRpcMessage, caller), false));
      case "resources/templates/list" ->
          completeReply(jsonRpcMessage, withCacheHints(mcpResources.templates(), true));
      case "resources/read" ->
          completeReply(
              jsonRpcMessage,
              withCacheHints(mcpResources.readResource(jsonRpcMessage, caller, true), false));
      case "prompts/list" ->
          completeReply(
              jsonRpcMessage, withCacheHints(mcpPrompts.list(jsonRpcMessage, caller), false));
      case "prompts/get" -> completeReply(jsonRpcMessage, mcpPrompts.get(jsonRpcMessage, caller));
      default -> throw McpException.unknownMethod(jsonRpcMessage.method());
    };
  }

  private McpReply answerLegacy(JsonRpcMessage jsonRpcMessage, Caller caller) {
    return switch (jsonRpcMessage.method()) {
      case "initialize" -> singleReply(jsonRpcMessage, initializeResult(jsonRpcMessage));
      case "ping" -> singleReply(jsonRpcMessage, Json.mapper().createObjectNode());
      case "tools/list" -> singleReply(jsonRpcMessage, toolList(jsonRpcMessage));
      case "tools/call" -> singleReply(jsonRpcMessage, mcpTools.callTool(jsonRpcMessage, caller));
      case "resources/list" ->
          singleReply(jsonRpcMessage, mcpResources.list(jsonRpcMessage, caller));
      case "resources/templates/list" -> singleReply(jsonRpcMessage, mcpResources.templates());
      case "resources/read" ->
          singleReply(jsonRpcMessage, mcpResources.readResource(jsonRpcMessage, caller, false));
      case "prompts/list" -> singleReply(jsonRpcMessage, mcpPrompts.list(jsonRpcMessage, caller));
      case "prompts/get" -> singleReply(jsonRpcMessage, mcpPrompts.get(jsonRpcMessage, caller));
      default -> throw McpException.unknownMethod(jsonRpcMessage.method());
    };
  }

  private ObjectNode toolList(JsonRpcMessage jsonRpcMessage) {
    if (jsonRpcMessage.optionalParameter("cursor").isPresent()) {
      throw McpException.invalidParams("The list of tools has only one page: send no cursor");
    }
    ObjectNode result = Json.mapper().createObjectNode();
    result.set("tools", mcpTools.list());
    return result;
  }

  private ObjectNode discoveryResult() {
    ObjectNode result = Json.mapper().createObjectNode();
    McpConstants.VERSIONS.forEach(result.putArray("supportedVersions")::add);
    ObjectNode capabilities = capabilities();
    capabilities.withObject("resources").put("subscribe", true).put("listChanged", true);
    result.set("capabilities", capabilities);
    result.set("serverInfo", serverInfo());
    return result.put("instructions", INSTRUCTIONS);
  }

  /** Returns the requested revision if it is supported, else the newest with a handshake. */
  private static ObjectNode initializeResult(JsonRpcMessage jsonRpcMessage) {
    String wanted = jsonRpcMessage.params().path("protocolVersion").asString("");
    ObjectNode result = Json.mapper().createObjectNode();
    result.put(
        "protocolVersion",
        McpConstants.LEGACY_VERSIONS.contains(wanted) ? wanted : McpConstants.LEGACY);
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

  /** Adds the time for which clients may cache the result; only common results are cached. */
  private ObjectNode withCacheHints(ObjectNode result, boolean common) {
    return result
        .put("ttlMs", common ? config.mcp().cacheTtl().toMillis() : 0)
        .put("cacheScope", common ? "public" : "private");
  }

  private static McpReply completeReply(JsonRpcMessage jsonRpcMessage, ObjectNode result) {
    result.put("resultType", "complete");
    result.withObject(McpConstants.META).set(McpConstants.SERVER_KEY, serverInfo());
    return singleReply(jsonRpcMessage, result);
  }

  private static McpReply singleReply(JsonRpcMessage jsonRpcMessage, ObjectNode result) {
    ObjectNode response = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    response.set("id", jsonRpcMessage.id().orElseThrow());
    response.set("result", result);
    return new McpReply.SingleReply(ReplyOutcome.ANSWERED, response);
  }

  /** Returns the answer to an operation that was refused outside of a tool. */
  private static McpReply failureReply(JsonRpcMessage jsonRpcMessage, CaliberException e) {
    if (e.code().kind() == ErrorKind.INTERNAL) {
      logFailure(jsonRpcMessage, e);
      return errorReply(jsonRpcMessage.id(), McpException.internal(), ReplyOutcome.BROKEN);
    }
    return errorReply(
        jsonRpcMessage.id(),
        McpException.invalidParams(PublicErrorText.codeAndMessage(e)),
        ReplyOutcome.ANSWERED);
  }

  private static McpReply errorReply(
      Optional<JsonNode> id, McpException e, ReplyOutcome replyOutcome) {
    ObjectNode response = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    id.ifPresent(known -> response.set("id", known));
    ObjectNode error = response.putObject("error");
    error.put("code", e.errorCode().jsonRpcCode()).put("message", e.message());
    e.data().ifPresent(data -> error.set("data", data));
    return new McpReply.SingleReply(replyOutcome, response);
  }
}
