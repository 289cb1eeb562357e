package dev.caliber.server.operation;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Trajectory;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The filters by which a request selects records. */
final class RequestFilters {
  private static final List<EntityType> KINDS =
      List.of(EntityType.NOTE, EntityType.TURN, EntityType.ARTIFACT);

  private RequestFilters() {}

  /** The filters of an input, beside the subject. */
  interface FilterParameters {
    Optional<String> externalId();

    Optional<String> about();

    Optional<String> session();

    List<String> types();

    Map<String, Object> metadata();
  }

  static RecallFilter recallFilter(
      FilterParameters input,
      Optional<String> subject,
      TimeRange created,
      Memory memory,
      Caller caller) {
    return new RecallFilter(
        subject,
        input.externalId(),
        input.about(),
        input.session().map(name -> sessionTrajectories(memory, caller, name)).orElse(Set.of()),
        entityTypes(input.types()),
        noteTypes(input.types()),
        input.metadata(),
        created);
  }

  /** Returns a filter by the kind of record only. */
  static RecallFilter recallFilterByKind(Optional<String> about, List<String> types) {
    RecallFilter kinds =
        RecallFilter.any().withTypes(entityTypes(types).toArray(EntityType[]::new));
    RecallFilter some = kinds.withNoteTypes(noteTypes(types).toArray(NoteType[]::new));
    return about.map(some::withEntity).orElse(some);
  }

  /** Returns the newest trajectory with this session name. */
  static Id newestTrajectory(Memory memory, Caller caller, String named) {
    return memory
        .view(caller.space(), view -> view.newestTrajectoryByExternalId(named))
        .map(Trajectory::id)
        .orElseThrow(RequestFilters::unknownSession);
  }

  /** Returns all trajectories with this session name: a session may have ended and begun again. */
  private static Set<Id> sessionTrajectories(Memory memory, Caller caller, String named) {
    List<Trajectory> found =
        memory.view(caller.space(), view -> view.trajectoriesByExternalId(named));
    if (found.isEmpty()) {
      throw unknownSession();
    }
    return found.stream().map(Trajectory::id).collect(Collectors.toSet());
  }

  private static ServerException unknownSession() {
    return ServerException.invalidInput("/session", "This space has no session with this name");
  }

  private static Set<EntityType> entityTypes(List<String> types) {
    Set<EntityType> kinds = EnumSet.noneOf(EntityType.class);
    KINDS.stream().filter(kind -> containsType(types, kind.name())).forEach(kinds::add);
    return kinds;
  }

  private static Set<NoteType> noteTypes(List<String> types) {
    Set<NoteType> found = EnumSet.noneOf(NoteType.class);
    for (String type : types) {
      if (KINDS.stream().noneMatch(kind -> kind.name().equalsIgnoreCase(type))) {
        found.add(noteType(type));
      }
    }
    return found;
  }

  private static NoteType noteType(String word) {
    return Stream.of(NoteType.values())
        .filter(type -> type.name().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                ServerException.invalidInput(
                    "/types",
                    "Expected NOTE, TURN, ARTIFACT or a type of note such as PREFERENCE"));
  }

  private static boolean containsType(List<String> types, String name) {
    return types.stream().anyMatch(name::equalsIgnoreCase);
  }
}
