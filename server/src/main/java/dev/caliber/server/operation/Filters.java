package dev.caliber.server.operation;

import dev.caliber.kernel.Id;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Trajectory;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which records a request means. */
final class Filters {
  private static final List<EntityType> KINDS =
      List.of(EntityType.NOTE, EntityType.TURN, EntityType.ARTIFACT);

  private Filters() {}

  /** What requests say about it. */
  record Wanted(
      Optional<String> subject,
      Optional<String> externalId,
      Optional<String> about,
      Optional<String> session,
      Optional<List<String>> types,
      Optional<Map<String, Object>> metadata,
      Optional<Instant> createdFrom,
      Optional<Instant> createdUntil) {}

  static RecallFilter of(Wanted wanted, Memory memory, Caller caller) {
    List<String> types = wanted.types().orElse(List.of());
    return new RecallFilter(
        wanted.subject(),
        wanted.externalId(),
        wanted.about(),
        wanted.session().map(name -> trajectories(memory, caller, name)).orElse(Set.of()),
        kinds(types),
        noteTypes(types),
        wanted.metadata().orElse(Map.of()),
        new Period(wanted.createdFrom(), wanted.createdUntil()));
  }

  /** What words about the kind of a record alone leave. */
  static RecallFilter among(Optional<String> about, List<String> types) {
    RecallFilter kinds = RecallFilter.any().only(kinds(types).toArray(EntityType[]::new));
    RecallFilter some = kinds.only(noteTypes(types).toArray(NoteType[]::new));
    return about.map(some::about).orElse(some);
  }

  /** The newest trajectory that is known by this name. */
  static Id trajectory(Memory memory, Caller caller, String named) {
    return memory
        .view(caller.space(), view -> view.session(named))
        .map(Trajectory::id)
        .orElseThrow(Filters::noSession);
  }

  /** A session may have ended and begun again: all trajectories that are known by this name. */
  private static Set<Id> trajectories(Memory memory, Caller caller, String named) {
    List<Trajectory> found = memory.view(caller.space(), view -> view.sessions(named));
    if (found.isEmpty()) {
      throw noSession();
    }
    return found.stream().map(Trajectory::id).collect(Collectors.toSet());
  }

  private static ServerException noSession() {
    return ServerException.invalidInput(
        "/session", "Wanted a session of this space, found none of that name");
  }

  private static Set<EntityType> kinds(List<String> types) {
    Set<EntityType> kinds = EnumSet.noneOf(EntityType.class);
    KINDS.stream().filter(kind -> contains(types, kind.name())).forEach(kinds::add);
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
                    "/types", "Wanted NOTE, TURN, ARTIFACT or a type of notes, found another"));
  }

  private static boolean contains(List<String> types, String name) {
    return types.stream().anyMatch(name::equalsIgnoreCase);
  }
}
