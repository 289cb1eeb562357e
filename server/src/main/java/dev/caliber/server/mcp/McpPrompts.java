package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import tools.jackson.databind.node.ObjectNode;

/** The prompts of the pack that is active in a space. */
final class McpPrompts {
  private final OperationDispatcher operationDispatcher;

  McpPrompts(OperationDispatcher operationDispatcher) {
    this.operationDispatcher = operationDispatcher;
  }

  ObjectNode list(JsonRpcMessage jsonRpcMessage, Caller caller) {
    if (jsonRpcMessage.optionalParameter("cursor").isPresent()) {
      throw McpException.invalidParams("The list of prompts has only one page: send no cursor");
    }
    return runOperation("list_prompts", Json.mapper().createObjectNode(), caller);
  }

  ObjectNode get(JsonRpcMessage jsonRpcMessage, Caller caller) {
    ObjectNode input =
        Json.mapper().createObjectNode().put("name", jsonRpcMessage.requiredText("name"));
    jsonRpcMessage
        .optionalParameter("arguments")
        .ifPresent(arguments -> input.set("arguments", arguments));
    return runOperation("get_prompt", input, caller);
  }

  private ObjectNode runOperation(String operation, ObjectNode input, Caller caller) {
    byte[] answer = operationDispatcher.run(caller, OperationRequest.of(operation, input)).body();
    return (ObjectNode) Json.mapper().readTree(answer);
  }
}
