package dev.caliber.memory.pcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import dev.caliber.testkit.RawSql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Debug views for people at an SQL prompt. */
@EachEngine({EngineKind.SQLITE, EngineKind.POSTGRES})
class DebugViewsContract extends GuardianFixture {

  private List<List<String>> rows(StoreConfig.EngineSettings place, String columns, String view) {
    return RawSql.rows(place, "SELECT %s FROM %s".formatted(columns, view));
  }

  @Test
  @DisplayName(
      "OBS-08, J-58: trajectories, windows, artifacts and notes, the newest or surest first")
  void views() {
    Trajectory old = start();
    Trajectory task = start();
    say(task, "Which wall is blue?");
    Artifact made = fact(task, "The wall is blue.", 0.9);
    Note sure = memory.run(SPACE, WriteNote.of("wall", "thing", NoteType.FACT, "It is high."));
    Note unsure =
        memory.run(
            SPACE,
            WriteNote.of("door", "thing", NoteType.FACT, "It is green.")
                .withConfidence(0.2)
                .withSource(task.id()));
    Window window = assemble(task).window();
    StoreConfig.EngineSettings place = engine();
    closeStores();
    assertThat(rows(place, "id, status, scope_count, artifact_count", "debug_trajectories"))
        .contains(List.of(task.id().toString(), "ACTIVE", "1", "1"))
        .contains(List.of(old.id().toString(), "ACTIVE", "1", "0"));
    assertThat(rows(place, "id, used_tokens, max_tokens, section_count", "debug_context"))
        .containsExactly(
            List.of(
                window.id().toString(),
                Integer.toString(window.usedTokens()),
                Integer.toString(window.maxTokens()),
                Integer.toString(window.sections().size())));
    assertThat(rows(place, "id, trajectory, type, size", "debug_recent_artifacts"))
        .containsExactly(List.of(made.id().toString(), task.id().toString(), "FACT", "17"));
    assertThat(rows(place, "id, entity, source_count", "debug_note_confidence"))
        .containsExactly(
            List.of(sure.id().toString(), "wall", "0"),
            List.of(unsure.id().toString(), "door", "1"));
  }

  @Test
  @DisplayName("OBS-08: goals as hashes and times are told, the newest first, a hundred at most")
  void newestFirst() {
    Trajectory first = start();
    List<String> artifacts = new ArrayList<>();
    List<String> windows = new ArrayList<>();
    for (int i = 0; i < 101; i++) {
      artifacts.addFirst(fact(first, "Fact number " + i, 0.9).id().toString());
      windows.addFirst(assemble(first).window().id().toString());
    }
    pass(Duration.ofHours(1));
    Trajectory last = start();
    StoreConfig.EngineSettings place = engine();
    closeStores();
    assertThat(rows(place, "id, goal_hash", "debug_trajectories"))
        .containsExactly(
            List.of(last.id().toString(), last.goalHash()),
            List.of(first.id().toString(), first.goalHash()));
    assertThat(first.goalHash()).matches("[0-9a-f]{64}");
    assertThat(rows(place, "id, created_at, updated_at", "debug_trajectories"))
        .isEqualTo(
            rows(place, "\"key\", created_at, updated_at", "trajectory ORDER BY created_at DESC"));
    assertThat(rows(place, "id", "debug_recent_artifacts"))
        .extracting(List::getFirst)
        .isEqualTo(artifacts.subList(0, 100));
    assertThat(rows(place, "id", "debug_context"))
        .extracting(List::getFirst)
        .isEqualTo(windows.subList(0, 100));
    assertThat(rows(place, "assembled_at", "debug_context"))
        .isEqualTo(
            rows(place, "assembled_at", "context_window ORDER BY assembled_at DESC LIMIT 100"));
  }

  @Test
  @DisplayName("OBS-09: every view says that it is for people and for no agent")
  void marked() {
    StoreConfig.EngineSettings place = engine();
    closeStores();
    List<List<String>> marks =
        switch (place) {
          case StoreConfig.PostgresSettings _ ->
              rows(
                  place,
                  "c.relname, obj_description(c.oid)",
                  "pg_class c WHERE c.relkind = 'v' AND c.relnamespace ="
                      + " current_schema()::regnamespace");
          default -> rows(place, "name, sql", "sqlite_master WHERE type = 'view'");
        };
    assertThat(marks)
        .extracting(List::getFirst)
        .contains(
            "debug_trajectories",
            "debug_context",
            "debug_recent_artifacts",
            "debug_note_confidence",
            "debug_spaces");
    assertThat(marks)
        .allSatisfy(
            view ->
                assertThat(view.getLast())
                    .contains("human debug interface - not for agent runtime use"));
  }

  @Test
  @DisplayName("OBS-09: no runtime code reads the views")
  void nobodyReadsThem() throws IOException {
    Path root = Path.of(System.getProperty("caliber.root"));
    try (Stream<Path> modules = Files.list(root)) {
      for (Path sources : modules.map(module -> module.resolve("src/main/java")).toList()) {
        assertThat(mentions(sources)).as("%s", sources).isEmpty();
      }
    }
  }

  private static List<Path> mentions(Path sources) throws IOException {
    if (Files.notExists(sources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> text(file).contains("FROM debug_"))
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
