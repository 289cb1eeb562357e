package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.PublicErrorText;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools, in the order of their file, and their calls. */
final class McpTools {
  private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);
  private static final String FILE = "tools.json";

  /** The argument of tools that read or write memory. */
  private static final String SUBJECT =
      """
      {"type": "string",
       "description": "The person whose memory this call is about: it sees the records of that person and records without a subject."}
      """;

  private final OperationDispatcher operationDispatcher;
  private final Map<String, McpTool> tools = new LinkedHashMap<>();

  McpTools(OperationDispatcher operationDispatcher) {
    this.operationDispatcher = operationDispatcher;
    for (JsonNode entry : readToolFile()) {
      McpTool mcpTool = parseTool(entry);
      if (mcpTool.operation().subjectRule().isPresent()) {
        mcpTool.addSubjectArgument(Json.mapper().readTree(SUBJECT));
      }
      tools.put(mcpTool.name(), mcpTool);
    }
  }

  private static JsonNode readToolFile() {
    try (InputStream in = Objects.requireNonNull(McpTools.class.getResourceAsStream(FILE), FILE)) {
      return Json.mapper().readTree(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Throws if the operation does not exist, which is a bug in the file. */
  private McpTool parseTool(JsonNode entry) {
    String name = entry.path("name").asString();
    Operation<?, ?> operation = operationDispatcher.find(entry.path("operation").asString(name));
    Map<String, String> renamed = new LinkedHashMap<>();
    entry
        .path("renamed")
        .properties()
        .forEach(pair -> renamed.put(pair.getKey(), pair.getValue().asString()));
    ObjectNode definition = new ToolDefinition(entry, operation, renamed).toJson();
    return new McpTool(definition, operation, renamed, new HashSet<>());
  }

  ArrayNode list() {
    ArrayNode list = Json.mapper().createArrayNode();
    tools.values().forEach(mcpTool -> list.add(mcpTool.definition()));
    return list;
  }

  /** Runs a tool; faulty arguments cause an error result, an unknown tool a protocol error. */
  ObjectNode callTool(JsonRpcMessage jsonRpcMessage, Caller caller) {
    McpTool mcpTool = tools.get(jsonRpcMessage.requiredText("name"));
    if (mcpTool == null) {
      throw McpException.invalidParams(
          "There is no tool '%s'".formatted(jsonRpcMessage.requiredText("name")));
    }
    JsonNode given =
        jsonRpcMessage.optionalParameter("arguments").orElseGet(Json.mapper()::createObjectNode);
    if (!(given instanceof ObjectNode arguments)) {
      throw McpException.invalidParams("'arguments' has to be an object");
    }
    List<String> mistakes = ToolArgumentCheck.findMistakes(mcpTool, arguments);
    return mistakes.isEmpty()
        ? runTool(mcpTool, arguments, caller)
        : errorResult(String.join(" ", mistakes) + " " + ToolArgumentCheck.usageText(mcpTool));
  }

  private ObjectNode runTool(McpTool mcpTool, ObjectNode arguments, Caller caller) {
    try {
      Caller own = mcpTool.namedSubject(arguments).map(caller::forSubject).orElse(caller);
      byte[] answer = operationDispatcher.run(own, mcpTool.toOperationRequest(arguments)).body();
      JsonNode structured = Json.mapper().readTree(answer);
      ObjectNode result = textResult(ToolAnswerText.render(mcpTool.name(), structured));
      result.set("structuredContent", structured);
      return result;
    } catch (CaliberException e) {
      if (e.code().kind() == ErrorKind.INTERNAL) {
        LOG.error(
            "The MCP tool '{}' failed in request {}. Cause: {}",
            mcpTool.name(),
            RequestId.current().orElse("-"),
            FailureText.describe(e));
      }
      return errorResult(refusalText(mcpTool, e));
    }
  }

  private static String refusalText(McpTool mcpTool, CaliberException e) {
    String place =
        e instanceof ServerException known
            ? known.pointer().map(" (at %s)"::formatted).orElse("")
            : "";
    String advice =
        e.code().kind() == ErrorKind.INVALID
            ? " " + ToolArgumentCheck.usageText(mcpTool)
            : e.advice().map(" "::concat).orElse("");
    return "%s%s.%s".formatted(PublicErrorText.codeAndMessage(e), place, advice);
  }

  private static ObjectNode errorResult(String text) {
    return textResult(text).put("isError", true);
  }

  private static ObjectNode textResult(String text) {
    ObjectNode result = Json.mapper().createObjectNode();
    result.putArray("content").addObject().put("type", "text").put("text", text);
    return result;
  }
}
