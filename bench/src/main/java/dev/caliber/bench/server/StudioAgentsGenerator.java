package dev.caliber.bench.server;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Generates agents that work on one task: some hold leases that others wait for, and one message is
 * a dead letter.
 */
final class StudioAgentsGenerator {
  private static final Map<String, Object> PLAN = Map.of("type", "file", "id", "move-plan.md");
  private static final Map<String, Object> BUDGET = Map.of("type", "document", "id", "budget-2026");
  private static final Map<String, Object> CALENDAR = Map.of("type", "calendar", "id", "hamburg");

  private final BenchStudioServer rig;

  StudioAgentsGenerator(BenchStudioServer rig) {
    this.rig = rig;
  }

  void generateAll(String task) {
    register("planner", "lead");
    List.of("anna", "ben", "chen").forEach(name -> register(name, "researcher"));
    register("reviewer", "reviewer");
    List.of("planner", "anna", "ben")
        .forEach(
            name -> rig.post("/agents/%s/transition".formatted(name), Map.of("event", "ACTIVATE")));
    rig.post("/agents/planner/task", Map.of("trajectory", task));
    acquireLease("planner", PLAN);
    acquireLease("anna", BUDGET);
    acquireLease("ben", CALENDAR);
    queueForLease("reviewer", PLAN);
    queueForLease("chen", PLAN);
    queueForLease("ben", BUDGET);
    sendMessages(task);
    rig.post(
        "/delegations",
        Map.of(
            "delegator", "planner",
            "to", Map.of("type", "researcher"),
            "description", "Find three movers with a lift truck and compare their prices",
            "trajectory", task,
            "within", "4h"));
    rig.post(
        "/handoffs",
        Map.of(
            "from",
            "planner",
            "to",
            Map.of("agent", "reviewer"),
            "trajectory",
            task,
            "notes",
            "Seats are settled, the racks are not.",
            "reason",
            "End of shift",
            "next_steps",
            List.of("Ask the carrier about Wednesday")));
  }

  private void register(String name, String type) {
    rig.post(
        "/agents",
        Map.of(
            "agent",
            name,
            "type",
            type,
            "can_delegate_to",
            List.of("researcher"),
            "access",
            Map.of("read", List.of("*"), "write", List.of("*"))));
  }

  private void acquireLease(String agent, Map<String, Object> resource) {
    rig.post("/leases", Map.of("agent", agent, "resource", resource, "length", "1h"));
  }

  private void queueForLease(String agent, Map<String, Object> resource) {
    rig.post("/leases", Map.of("agent", agent, "resource", resource, "queued", true));
  }

  private void sendMessages(String task) {
    sendMessage("planner", "anna", "question", "What does the lift truck cost for a day?", task);
    sendMessage("anna", "planner", "answer", "Two offers so far, the third comes today.", task);
    String lost =
        sendMessage("planner", "chen", "request", "Book the carrier for Wednesday.", task);
    boolean dead = false;
    while (!dead) {
      rig.post("/agents/chen/receive", Map.of());
      JsonNode back = rig.post("/messages/%s/return".formatted(lost), Map.of("agent", "chen"));
      dead = back.path("delivery").path("state").asString().equals("DEAD");
    }
  }

  private String sendMessage(String from, String to, String type, String text, String task) {
    return rig.post(
            "/messages",
            Map.of(
                "from", from,
                "to", Map.of("agent", to),
                "type", type,
                "payload", Map.of("text", text),
                "trajectory", task))
        .path("id")
        .asString();
  }
}
