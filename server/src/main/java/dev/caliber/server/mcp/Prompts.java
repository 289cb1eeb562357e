package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operations;
import tools.jackson.databind.node.ObjectNode;

/** The prompts of the pack that a space runs on. */
final class Prompts {
  private final Operations operations;

  Prompts(Operations operations) {
    this.operations = operations;
  }

  ObjectNode list(Message message, Caller caller) {
    if (message.optional("cursor").isPresent()) {
      throw McpException.invalidParams("The list of prompts has one page: wanted no cursor");
    }
    return run("list_prompts", Json.mapper().createObjectNode(), caller);
  }

  ObjectNode get(Message message, Caller caller) {
    ObjectNode input = Json.mapper().createObjectNode().put("name", message.text("name"));
    message.optional("arguments").ifPresent(arguments -> input.set("arguments", arguments));
    return run("get_prompt", input, caller);
  }

  private ObjectNode run(String operation, ObjectNode input, Caller caller) {
    byte[] answer = operations.run(caller, Call.of(operation, input)).body();
    return (ObjectNode) Json.mapper().readTree(answer);
  }
}
