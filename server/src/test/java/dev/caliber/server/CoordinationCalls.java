package dev.caliber.server;

import dev.caliber.server.TestServer.Reply;
import org.jspecify.annotations.NullMarked;

/** One call of each operation on agents and recovery. */
@NullMarked
record CoordinationCalls(CheckedServer server) {

  void all() {
    agents();
    leases();
    mail();
    work();
    conflicts();
    guardian();
  }

  private void agents() {
    server.post(
        "/agents",
        """
        {"agent": "planner", "type": "lead", "can_delegate_to": ["coder"], "access": {"read": ["*"], "write": ["*"]}}
        """);
    for (String coder : new String[] {"anna", "ben"}) {
      server.post(
          "/agents",
          "{\"agent\": \"%s\", \"type\": \"coder\", \"capabilities\": [\"java\"], \"reports_to\": \"planner\"}"
              .formatted(coder));
    }
    server.get("/agents?type=coder&limit=1");
    server.get("/agents/anna");
    server.post("/agents/heartbeats", "{\"agents\": [\"anna\", \"ben\"]}");
    server.post("/agents/anna/transition", "{\"event\": \"ACTIVATE\"}");
    server.refused("/agents/unknown/transition", "{\"event\": \"ACTIVATE\"}", 404);
    server.refused("/agents/planner/unregister", "{\"give_back\": true}", 409);
    server.post("/agents", "{\"agent\": \"cara\", \"type\": \"coder\"}");
    server.post("/agents/cara/unregister", "{}");
    server.get("/coordination/status");
  }

  private void leases() {
    String wish = "{\"agent\": \"%s\", \"resource\": {\"type\": \"file\", \"id\": \"a.txt\"}%s}";
    Reply held = server.post("/leases", wish.formatted("anna", ", \"length\": \"1m\""));
    server.refused("/leases", wish.formatted("ben", ""), 409);
    server.post("/leases", wish.formatted("ben", ", \"queued\": true"));
    server.post("/leases/await", wish.formatted("ben", ", \"at_most\": \"10ms\""));
    server.get("/leases?resource_type=file&resource_id=a.txt");
    server.get("/leases/queue?agent=ben");
    server.get("/coordination/status");
    server.post("/leases/queue/leave", wish.formatted("ben", ""));
    String id = held.text("lease", "id");
    server.post("/leases/%s/renew".formatted(id), "{\"agent\": \"anna\"}");
    server.refused("/leases/%s/release".formatted(id), "{\"agent\": \"ben\"}", 403);
    server.post("/leases/%s/release".formatted(id), "{\"agent\": \"anna\"}");
    String other = server.post("/leases", wish.formatted("ben", "")).text("lease", "id");
    server.post("/leases/%s/revoke".formatted(other), "{}");
  }

  private void mail() {
    String letter =
        "{\"from\": \"planner\", \"to\": {\"agent\": \"anna\"}, \"type\": \"hint\", \"payload\": {\"n\": [1]}%s}";
    server.post("/messages", letter.formatted(", \"priority\": \"HIGH\", \"expires_in\": \"1h\""));
    server.get("/agents/anna/inbox");
    Reply taken = server.post("/agents/anna/receive", "{\"limit\": 1}");
    String id = taken.body().path("items").path(0).path("id").asString();
    server.get("/messages/" + id);
    server.post("/messages/%s/return".formatted(id), "{\"agent\": \"anna\"}");
    server.post("/agents/anna/await", "{\"at_most\": \"1s\"}");
    server.post("/messages/%s/acknowledge".formatted(id), "{\"agent\": \"anna\"}");
    server.get("/messages?state=ACKNOWLEDGED");
    server.refused("/messages/%s/requeue".formatted(id), "{}", 409);
    dead(server.post("/messages", letter.formatted(", \"key\": \"once\"")).text("id"));
  }

  /** Gives the message back until it is a dead letter. */
  private void dead(String id) {
    boolean dead = false;
    while (!dead) {
      server.post("/agents/anna/receive", "{}");
      Reply back = server.post("/messages/%s/return".formatted(id), "{\"agent\": \"anna\"}");
      dead = back.text("delivery", "state").equals("DEAD");
    }
    server.post("/messages/%s/requeue".formatted(id), "{}");
  }

  private void work() {
    String task = server.post("/trajectories", "{\"goal\": \"Mend the build\"}").text("id");
    server.post("/agents/planner/task", "{\"trajectory\": \"%s\"}".formatted(task));
    String work =
        server
            .post(
                "/delegations",
                "{\"delegator\": \"planner\", \"to\": {\"type\": \"coder\"}, \"description\": \"Test it\", \"trajectory\": \"%s\", \"within\": \"1h\"}"
                    .formatted(task))
            .text("id");
    server.get("/delegations?acceptable_by=anna");
    server.get("/delegations?status=PENDING");
    server.get("/delegations/" + work);
    String move = "{\"agent\": \"anna\", \"event\": \"%s\"%s}";
    server.post("/delegations/%s/transition".formatted(work), move.formatted("ACCEPT", ""));
    server.get("/delegations/%s/briefing?agent=anna".formatted(work));
    server.post("/delegations/%s/transition".formatted(work), move.formatted("BEGIN", ""));
    server.refused(
        "/delegations/%s/transition".formatted(work),
        move.formatted("COMPLETE", ", \"words\": \"done\""),
        400);
    server.post(
        "/delegations/%s/transition".formatted(work),
        move.formatted("COMPLETE", ", \"result\": {\"ok\": true}"));
    handoff(task);
  }

  private void handoff(String task) {
    String passed =
        server
            .post(
                "/handoffs",
                "{\"from\": \"planner\", \"to\": {\"agent\": \"ben\"}, \"trajectory\": \"%s\", \"notes\": \"Half done\", \"reason\": \"Holiday\", \"next_steps\": [\"Test\"]}"
                    .formatted(task))
            .text("id");
    server.get("/handoffs?acceptable_by=ben");
    server.get("/handoffs?trajectory=" + task);
    server.get("/handoffs/" + passed);
    server.post(
        "/handoffs/%s/transition".formatted(passed), "{\"agent\": \"ben\", \"event\": \"ACCEPT\"}");
    server.get("/handoffs/%s/briefing?agent=ben".formatted(passed));
  }

  private void conflicts() {
    String task = server.post("/trajectories", "{\"goal\": \"Agree\"}").text("id");
    String found =
        server
            .post(
                "/conflicts",
                """
                {"agent": "anna", "type": "GOAL_CONFLICT", "about": "colour", "trajectory": "%s",
                 "first": {"record": {"type": "AGENT", "id": "anna"}, "agent": "anna"},
                 "second": {"record": {"type": "AGENT", "id": "ben"}, "agent": "ben"}}
                """
                    .formatted(task))
            .text("id");
    server.post(
        "/conflicts/detect", "{\"agent\": \"anna\", \"trajectory\": \"%s\"}".formatted(task));
    server.get("/conflicts?status=DETECTED");
    server.get("/conflicts/" + found);
    server.post(
        "/conflicts/%s/transition".formatted(found),
        "{\"agent\": \"planner\", \"event\": \"RESOLVE\", \"verdict\": \"MERGED\", \"reason\": \"Both\"}");
  }

  private void guardian() {
    String task = server.post("/trajectories", "{\"goal\": \"Return\"}").text("id");
    String scope = server.post("/trajectories/%s/scopes".formatted(task), "{}").text("id");
    String artifact =
        server
            .post(
                "/scopes/%s/artifacts".formatted(scope),
                "{\"artifacts\": [{\"type\": \"FACT\", \"text\": \"It holds\"}]}")
            .body()
            .path("items")
            .path(0)
            .path("id")
            .asString();
    String point = server.post("/trajectories/%s/checkpoint".formatted(task), "{}").text("id");
    server.get("/checkpoints/%s/window".formatted(point));
    server.get("/trajectories/%s/validation".formatted(task));
    server.post("/trajectories/%s/resolve-contradictions".formatted(task), "{}");
    server.get("/trajectories/%s/lint".formatted(task));
    server.get("/artifacts/%s/lint".formatted(artifact));
    server.get("/artifacts/%s/lineage".formatted(artifact));
    server.post("/trajectories/%s/recover".formatted(task), "{\"dry_run\": true}");
    server.post(
        "/trajectories/%s/recover".formatted(task), "{\"checkpoint\": \"%s\"}".formatted(point));
    server.post("/checkpoints/%s/fork".formatted(point), "{\"goal\": \"Another way\"}");
    server.get("/trajectories/%s/state".formatted(task));
    server.get("/trajectories/%s/trace?limit=3".formatted(task));
    server.get("/trajectories/%s/turns?include=rolled_back".formatted(task));
    server.post("/cleanup", "{}");
  }
}
