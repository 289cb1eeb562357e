package dev.caliber.server.mcp;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.Json;
import dev.caliber.lang.prompt.Reference;
import dev.caliber.lang.prompt.ReferenceScanner;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.PackContent;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.NoInput;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.operation.ServerModules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The prompts of the pack that is active in a space: one for each of its agents. */
final class PromptOperations {
  private final Deployments deployments;

  private PromptOperations(ServerModules modules) {
    this.deployments = modules.deployments();
  }

  static List<Operation<?, ?>> operations(ServerModules modules) {
    PromptOperations here = new PromptOperations(modules);
    return List.of(
        Operation.readOnly("list_prompts", NoInput.class, (caller, _) -> here.listPrompts(caller))
            .forAgents(RequiredPermissions.NOTHING)
            .forSubjects(),
        Operation.readOnly("get_prompt", GetPromptRequest.class, here::fillPrompt)
            .forAgents(RequiredPermissions.NOTHING)
            .forSubjects());
  }

  /** An argument of a prompt. */
  record PromptArgument(String name, boolean required) {}

  record PromptDescription(String name, String description, List<PromptArgument> arguments) {}

  record ListPromptsResponse(List<PromptDescription> prompts) {}

  private ListPromptsResponse listPrompts(Caller caller) {
    JsonNode pack = activePack(caller);
    return new ListPromptsResponse(
        agents(pack)
            .map(
                agent ->
                    new PromptDescription(
                        name(agent),
                        "The prompt of agent '%s' of %s."
                            .formatted(name(agent), pack.at("/meta/project").asString("")),
                        inputs(agent).map(input -> new PromptArgument(input, true)).toList()))
            .toList());
  }

  record GetPromptRequest(String name, Optional<Map<String, String>> arguments) {}

  /** A message of a prompt. */
  record PromptMessage(String role, PromptText content) {}

  record PromptText(String type, String text) {}

  record GetPromptResponse(List<PromptMessage> messages) {}

  /** Fills a prompt; its role is user, because MCP has none for instructions. */
  private GetPromptResponse fillPrompt(Caller caller, GetPromptRequest request) {
    JsonNode pack = activePack(caller);
    JsonNode agent =
        agents(pack)
            .filter(one -> name(one).equals(request.name()))
            .findFirst()
            .orElseThrow(
                () ->
                    ServerException.invalidInput(
                        "/name", "The active pack of this space has no prompt with this name"));
    Map<String, String> given = request.arguments().orElse(Map.of());
    inputs(agent)
        .filter(input -> !given.containsKey(input))
        .findFirst()
        .ifPresent(
            input -> {
              throw ServerException.invalidInput(
                  "/arguments/" + input, "A required argument of the prompt is missing");
            });
    return new GetPromptResponse(
        agent
            .at("/prompt/sections")
            .valueStream()
            .map(section -> fillReferences(section.path("text").asString(""), pack, given).strip())
            .filter(text -> !text.isEmpty())
            .map(text -> new PromptMessage("user", new PromptText("text", text)))
            .toList());
  }

  private JsonNode activePack(Caller caller) {
    return deployments
        .activeVersion(caller.space())
        .flatMap(active -> deployments.pack(caller.space(), active))
        .map(PackContent::ir)
        .map(Json.mapper()::readTree)
        .orElseGet(Json.mapper()::createObjectNode);
  }

  private static Stream<JsonNode> agents(JsonNode pack) {
    return pack.path("agents").valueStream().filter(agent -> agent.path("enabled").asBoolean());
  }

  private static Stream<String> inputs(JsonNode agent) {
    return agent.at("/prompt/inputs").valueStream().map(JsonNode::asString);
  }

  private static String name(JsonNode agent) {
    return agent.path("name").asString("");
  }

  private static String fillReferences(String text, JsonNode pack, Map<String, String> given) {
    return ReferenceScanner.replace(text, reference -> referenceValue(reference, pack, given));
  }

  /** Returns the text of a reference, or the name of something without a text, such as a tool. */
  private static String referenceValue(
      Reference reference, JsonNode pack, Map<String, String> given) {
    return switch (reference) {
      case Reference.InputReference(var name, _) -> given.getOrDefault(name, reference.text());
      case Reference.SettingReference settingReference ->
          packSetting(settingReference, pack).orElseGet(settingReference::path);
      case Reference.EnvironmentReference _ -> reference.text();
    };
  }

  private static Optional<String> packSetting(
      Reference.SettingReference settingReference, JsonNode pack) {
    JsonNode found = pack.path(settingReference.root().word());
    for (String key : settingReference.keys()) {
      found = found.isArray() ? findByName(found, key) : found.path(key);
    }
    return Optional.of(found).filter(JsonNode::isString).map(JsonNode::asString);
  }

  private static JsonNode findByName(JsonNode all, String name) {
    return all.valueStream()
        .filter(one -> name(one).equals(name))
        .findFirst()
        .orElseGet(Json.mapper()::missingNode);
  }
}
