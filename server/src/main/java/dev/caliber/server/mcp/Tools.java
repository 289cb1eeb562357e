package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.AnswerText;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.FailureText;
import dev.caliber.server.operation.Operations;
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

/** The tools, in the order of their file, and how they are called. */
final class Tools {
  private static final Logger LOG = LoggerFactory.getLogger(Tools.class);
  private static final String FILE = "tools.json";

  /** What tools take that write what others share. */
  private static final String FENCE =
      """
      {"type": "object",
       "description": "Only while you hold this lock: its resource, and the token that lock answered with.",
       "properties": {
        "resource": {"type": "object", "properties": {"type": {"type": "string"}, "id": {"type": "string"}}, "required": ["type", "id"]},
        "token": {"type": "integer"},
        "agent": {"type": "string", "description": "Your own name: a lost lock is then written down as a conflict."}},
       "required": ["resource", "token"]}
      """;

  /** What tools take that read or write memory. */
  private static final String SUBJECT =
      """
      {"type": "string",
       "description": "The person whose memory this call is about: it sees the records of that person and records without a subject."}
      """;

  private final Operations operations;
  private final Map<String, Tool> tools = new LinkedHashMap<>();

  Tools(Operations operations) {
    this.operations = operations;
    for (JsonNode entry : file()) {
      Tool tool = read(entry.deepCopy());
      /* A tool without its operation is a mistake of ours. */
      if (operations.find(tool.operation()).isForSubjects()) {
        tool.takeSubject(Json.mapper().readTree(SUBJECT));
      }
      tools.put(tool.name(), tool);
    }
  }

  private static JsonNode file() {
    try (InputStream in = Objects.requireNonNull(Tools.class.getResourceAsStream(FILE), FILE)) {
      return Json.mapper().readTree(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What only we need is no part of the definition. */
  private static Tool read(JsonNode entry) {
    ObjectNode definition = (ObjectNode) entry;
    String operation = definition.remove("operation").asString();
    Map<String, String> renamed = new LinkedHashMap<>();
    if (definition.has("renamed")) {
      definition
          .remove("renamed")
          .properties()
          .forEach(pair -> renamed.put(pair.getKey(), pair.getValue().asString()));
    }
    if (definition.remove("fenced") != null) {
      definition
          .withObject("inputSchema")
          .withObject("properties")
          .set(Tool.FENCE, Json.mapper().readTree(FENCE));
    }
    return new Tool(definition, operation, renamed, new HashSet<>());
  }

  ArrayNode list() {
    ArrayNode list = Json.mapper().createArrayNode();
    tools.values().forEach(tool -> list.add(tool.definition()));
    return list;
  }

  /** A mistake in the arguments is a result that says so; an unknown tool is none of ours. */
  ObjectNode call(Message message, Caller caller) {
    Tool tool = tools.get(message.text("name"));
    if (tool == null) {
      throw McpException.invalidParams("There is no tool '%s'".formatted(message.text("name")));
    }
    JsonNode given = message.optional("arguments").orElseGet(Json.mapper()::createObjectNode);
    if (!(given instanceof ObjectNode arguments)) {
      throw McpException.invalidParams("Wanted 'arguments' as an object, found something else");
    }
    List<String> mistakes = Arguments.mistakes(tool, arguments);
    return mistakes.isEmpty()
        ? run(tool, arguments, caller)
        : mistake(String.join(" ", mistakes) + " " + Arguments.usage(tool));
  }

  private ObjectNode run(Tool tool, ObjectNode arguments, Caller caller) {
    try {
      Caller own = tool.subject(arguments).map(caller::forSubject).orElse(caller);
      byte[] answer = operations.run(own, tool.call(arguments)).body();
      JsonNode structured = Json.mapper().readTree(answer);
      ObjectNode result = result(Wording.of(tool.name(), structured));
      result.set("structuredContent", structured);
      return result;
    } catch (CaliberException e) {
      if (e.code().kind() == ErrorKind.INTERNAL) {
        LOG.error(
            "MCP tool {}, request {}: {}",
            tool.name(),
            RequestId.current().orElse("-"),
            FailureText.of(e));
      }
      return mistake(refusal(tool, e));
    }
  }

  private static String refusal(Tool tool, CaliberException e) {
    String place =
        e instanceof ServerException known
            ? known.pointer().map(" (at %s)"::formatted).orElse("")
            : "";
    String advice =
        e.code().kind() == ErrorKind.INVALID
            ? " " + Arguments.usage(tool)
            : e.advice().map(" "::concat).orElse("");
    return "%s%s.%s".formatted(AnswerText.report(e), place, advice);
  }

  private static ObjectNode mistake(String text) {
    return result(text).put("isError", true);
  }

  private static ObjectNode result(String text) {
    ObjectNode result = Json.mapper().createObjectNode();
    result.putArray("content").addObject().put("type", "text").put("text", text);
    return result;
  }
}
