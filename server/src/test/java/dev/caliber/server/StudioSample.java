package dev.caliber.server;

import dev.caliber.kernel.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;

/** Some data of every kind that Studio shows; its texts can be chosen, hostile ones too. */
@NullMarked
record StudioSample(
    String trajectory,
    String session,
    String window,
    String smaller,
    String note,
    String entity,
    String turn,
    String lease,
    String letter) {
  private static final String KIND = "keeper";

  static StudioSample in(TestServer server) {
    return in(server, "the harbour");
  }

  /** Creates the sample with this text in every stored field. */
  static StudioSample in(TestServer server, String words) {
    String session = "session " + words;
    JsonNode task =
        post(
            server,
            "/trajectories",
            Map.of(
                "goal",
                "Goal of " + words,
                "session",
                session,
                "subject",
                "subject " + words,
                "tags",
                List.of("tag " + words),
                "metadata",
                Map.of("place", "place " + words)));
    String id = task.path("id").asString();
    JsonNode turns = post(server, "/scopes/" + scope(server, id) + "/turns", turns(words));
    String turn = turns.path("items").get(0).path("id").asString();
    String scope = turns.path("items").get(0).path("scope").asString();
    post(
        server,
        "/scopes/" + scope + "/artifacts",
        Map.of(
            "artifacts",
            List.of(
                Map.of("type", "FACT", "text", "Artifact of " + words),
                Map.of("type", "CODE_PATCH", "text", "Patch of " + words))));
    post(server, "/trajectories/" + id + "/checkpoints", Map.of());
    post(server, "/scopes/" + scope + "/close", Map.of());
    post(server, "/trajectories", Map.of("goal", "Child of " + words, "parent", id));
    String window = window(server, id, words, 4000);
    String smaller = window(server, id, words, 400);
    String entity = "entity " + words;
    String old = note(server, entity, "The " + entity + " is open on Saturday.", id);
    String note =
        post(
                server,
                "/notes/" + old + "/supersede",
                Map.of("note", noteOf(entity, "The " + entity + " is closed on Saturday.", id)))
            .path("id")
            .asString();
    note(server, entity, "The " + entity + " is large.", id);
    String lease = leases(server, words);
    return new StudioSample(
        id, session, window, smaller, note, entity, turn, lease, deadLetter(server, words, id));
  }

  /** Creates two agents, one of which waits for the other's lease; returns the lease. */
  private static String leases(TestServer server, String words) {
    for (String agent : List.of("anna", "ben")) {
      post(
          server,
          "/agents",
          Map.of(
              "agent",
              agent,
              "type",
              KIND,
              "can_delegate_to",
              List.of(KIND),
              "access",
              Map.of("read", List.of("*"), "write", List.of("*"))));
    }
    Map<String, Object> thing = Map.of("type", "file", "id", "file of " + words);
    String lease =
        post(server, "/leases", Map.of("agent", "anna", "resource", thing, "length", "1h"))
            .path("lease")
            .path("id")
            .asString();
    post(server, "/leases", Map.of("agent", "ben", "resource", thing, "queued", true));
    return lease;
  }

  /** Creates a dead letter and some delegated work; returns the dead letter. */
  private static String deadLetter(TestServer server, String words, String task) {
    String letter =
        post(
                server,
                "/messages",
                Map.of(
                    "from",
                    "anna",
                    "to",
                    Map.of("agent", "ben"),
                    "type",
                    "hint",
                    "payload",
                    Map.of("text", "payload of " + words)))
            .path("id")
            .asString();
    String state = "";
    while (!state.equals("DEAD")) {
      post(server, "/agents/ben/receive", Map.of());
      state =
          post(server, "/messages/%s/return".formatted(letter), Map.of("agent", "ben"))
              .path("delivery")
              .path("state")
              .asString();
    }
    String work =
        post(
                server,
                "/delegations",
                Map.of(
                    "delegator",
                    "anna",
                    "to",
                    Map.of("type", KIND),
                    "description",
                    "Work on " + words,
                    "trajectory",
                    task,
                    "within",
                    "1h"))
            .path("id")
            .asString();
    post(
        server,
        "/delegations/%s/transition".formatted(work),
        Map.of("agent", "anna", "event", "REPORT", "words", "Report of " + words));
    handoff(server, words, task);
    conflict(server, words, task);
    return letter;
  }

  /** Hands over the child task, which is still open. */
  private static void handoff(TestServer server, String words, String task) {
    String child =
        server
            .get("/trajectories?parent=" + task)
            .body()
            .path("items")
            .path(0)
            .path("id")
            .asString();
    post(server, "/agents/anna/task", Map.of("trajectory", child));
    post(
        server,
        "/handoffs",
        Map.of(
            "from",
            "anna",
            "to",
            Map.of("agent", "ben"),
            "trajectory",
            child,
            "notes",
            "Handed over: " + words,
            "reason",
            "Because of " + words,
            "next_steps",
            List.of("Then " + words),
            "blockers",
            List.of("Blocked by " + words),
            "open_questions",
            List.of("Why " + words + "?")));
  }

  private static void conflict(TestServer server, String words, String task) {
    String found =
        post(
                server,
                "/conflicts",
                Map.of(
                    "agent",
                    "anna",
                    "type",
                    "GOAL_CONFLICT",
                    "about",
                    "Dispute about " + words,
                    "trajectory",
                    task,
                    "first",
                    Map.of("record", Map.of("type", "AGENT", "id", "anna"), "agent", "anna"),
                    "second",
                    Map.of("record", Map.of("type", "AGENT", "id", "ben"), "agent", "ben")))
            .path("id")
            .asString();
    post(
        server,
        "/conflicts/%s/transition".formatted(found),
        Map.of(
            "agent",
            "anna",
            "event",
            "RESOLVE",
            "verdict",
            "MERGED",
            "reason",
            "Decided for " + words));
  }

  private static String scope(TestServer server, String trajectory) {
    return server
        .get("/trajectories/" + trajectory + "/scopes")
        .body()
        .path("items")
        .get(0)
        .path("id")
        .asString();
  }

  private static Map<String, Object> turns(String words) {
    return Map.of(
        "turns",
        List.of(
            Map.of("role", "USER", "text", "What is known of " + words + "?"),
            Map.of(
                "role",
                "ASSISTANT",
                "model",
                "model " + words,
                "parts",
                List.of(
                    Map.of(
                        "kind", "tool_call",
                        "call", "call " + words,
                        "tool", "tool " + words,
                        "arguments", "{\"of\": \"" + words.replace("\"", "'") + "\"}"))),
            Map.of(
                "role",
                "TOOL",
                "parts",
                List.of(
                    Map.of(
                        "kind",
                        "tool_result",
                        "call",
                        "call " + words,
                        "content",
                        "Result of " + words,
                        "failed",
                        false))),
            Map.of(
                "role",
                "ASSISTANT",
                "text",
                "Much is known of " + words + ". It is large.",
                "metadata",
                Map.of("speaker", "speaker " + words))));
  }

  private static String window(TestServer server, String id, String words, int budget) {
    return post(
            server,
            "/context/assemble",
            Map.of(
                "trajectory",
                id,
                "query",
                "Question of " + words,
                "max_tokens",
                budget,
                "keep",
                "PERMANENT"))
        .path("window")
        .path("id")
        .asString();
  }

  private static String note(TestServer server, String entity, String content, String source) {
    return post(server, "/notes", noteOf(entity, content, source)).path("id").asString();
  }

  private static Map<String, Object> noteOf(String entity, String content, String source) {
    return Map.of(
        "entity",
        entity,
        "entity_type",
        "type of " + entity,
        "type",
        "FACT",
        "content",
        content,
        "sources",
        List.of(source));
  }

  static JsonNode post(TestServer server, String path, Object body) {
    TestServer.Reply reply = server.post(path, Json.text(body));
    if (reply.status() != 200) {
      throw new IllegalStateException(path + " answers " + reply.body());
    }
    return reply.body();
  }
}
