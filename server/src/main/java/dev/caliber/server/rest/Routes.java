package dev.caliber.server.rest;

import static dev.caliber.server.rest.Route.get;
import static dev.caliber.server.rest.Route.post;

import java.util.List;

/** Which path is which operation. The contract has the same list; a test compares them. */
final class Routes {
  static final String BASE = "/api/v1";

  private Routes() {}

  static final List<Route> ALL =
      List.of(
          post("/remember", "remember"),
          post("/recall", "recall"),
          post("/forget", "forget"),
          post("/search", "search"),
          post("/commit", "commit"),
          post("/trajectories", "start_trajectory"),
          get("/trajectories", "list_trajectories"),
          get("/trajectories/{id}", "get_trajectory"),
          post("/trajectories/{id}/suspend", "suspend_trajectory"),
          post("/trajectories/{id}/resume", "resume_trajectory"),
          post("/trajectories/{id}/complete", "complete_trajectory"),
          post("/trajectories/{id}/fail", "fail_trajectory"),
          post("/trajectories/{trajectory}/scopes", "open_scope"),
          get("/trajectories/{trajectory}/scopes", "list_scopes"),
          get("/trajectories/{trajectory}/turns", "list_turns"),
          get("/trajectories/{trajectory}/artifacts", "list_artifacts"),
          get("/trajectories/{trajectory}/windows", "list_windows"),
          post("/trajectories/{trajectory}/checkpoints", "save_checkpoint"),
          get("/trajectories/{trajectory}/checkpoints", "list_checkpoints"),
          post("/trajectories/{trajectory}/rollback", "roll_back"),
          post("/trajectories/{trajectory}/consolidate", "consolidate"),
          get("/trajectories/{id}/uncompact", "uncompact"),
          get("/scopes/{id}", "get_scope"),
          post("/scopes/{id}/close", "close_scope"),
          get("/scopes/{id}/uncompact", "uncompact"),
          post("/scopes/{scope}/turns", "append_turns"),
          get("/scopes/{scope}/turns", "list_turns"),
          post("/scopes/{scope}/artifacts", "create_artifacts"),
          post("/sessions/{session}/turns", "append_turns"),
          get("/turns/{id}", "get_turn"),
          get("/artifacts/{id}", "get_artifact"),
          post("/artifacts/{id}/supersede", "supersede_artifact"),
          post("/notes", "write_note"),
          get("/notes", "list_notes"),
          get("/notes/{id}", "get_note"),
          post("/notes/{id}/supersede", "supersede_note"),
          post("/notes/{id}/end", "end_note"),
          get("/notes/{id}/history", "note_history"),
          get("/overview", "overview"),
          get("/activity", "activity"),
          get("/traces", "list_traces"),
          get("/audit", "list_audit"),
          post("/context/assemble", "assemble"),
          get("/windows", "list_windows"),
          get("/windows/{id}", "get_window"),
          get("/windows/{id}/explain", "explain_window"),
          get("/windows/{id}/replay", "replay_window"),
          get("/windows/{id}/diff/{other}", "diff_windows"),
          post("/windows/{id}/annotate", "annotate_window"),
          post("/dsl/validate", "validate_source"),
          post("/dsl/parse", "parse_source"),
          post("/dsl/compile", "compile_source"),
          post("/dsl/compose", "compose_pack"),
          post("/dsl/deploy", "deploy"),
          get("/deployments", "list_deployments"),
          get("/deployments/active", "active_deployment"),
          post("/deployments/activate", "activate"),
          post("/deployments/rollback", "rollback_deployment"),
          get("/spaces", "list_spaces"),
          post("/spaces", "create_space"),
          get("/keys", "list_keys"),
          post("/keys", "create_key"),
          post("/keys/{id}/revoke", "revoke_key"));
}
