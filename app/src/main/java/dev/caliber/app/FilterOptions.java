package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Which records a command means. */
final class FilterOptions {
  private static final List<EntityType> KINDS =
      List.of(EntityType.NOTE, EntityType.TURN, EntityType.ARTIFACT);

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description =
          "Only what belongs to this person or thing; recall also finds what belongs to the whole"
              + " space.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--external-id",
      paramLabel = "NAME",
      description = "Only what your own system knows by this name.")
  private Optional<String> externalId = Optional.empty();

  @Option(
      names = "--about",
      paramLabel = "NAME",
      description = "Only notes about this, as it was named with 'remember --about'.")
  private Optional<String> about = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description = "Only what was said or made in this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      split = ",",
      description =
          "Only these: note, turn or artifact, or kinds of notes (fact, preference, convention,"
              + " strategy, gotcha, relationship, procedure, meta). May be given several times.")
  private List<String> types = List.of();

  /** The subjects whose records a recall may answer; with none named, those of every subject. */
  SubjectScope visible() {
    return subject.isPresent() ? SubjectScope.of(subject) : SubjectScope.every();
  }

  boolean isEmpty() {
    return subject.isEmpty()
        && externalId.isEmpty()
        && about.isEmpty()
        && session.isEmpty()
        && types.isEmpty();
  }

  /** The same for a server. */
  void put(ObjectNode input) {
    noteTypes(); // what is wrong with the types is said here as it is without a server
    Remote.put(input, "subject", subject);
    Remote.put(input, "external_id", externalId);
    Remote.put(input, "about", about);
    Remote.put(input, "session", session);
    Remote.put(input, "types", Optional.of(types).filter(some -> !some.isEmpty()));
  }

  RecallFilter filter(Memory memory, SpaceId space) {
    return filter(subject, memory, space);
  }

  RecallFilter withoutSubject(Memory memory, SpaceId space) {
    return filter(Optional.empty(), memory, space);
  }

  private RecallFilter filter(Optional<String> owner, Memory memory, SpaceId space) {
    return new RecallFilter(
        owner,
        externalId,
        about,
        session.map(name -> trajectories(memory, space, name)).orElse(Set.of()),
        Set.copyOf(kinds()),
        Set.copyOf(noteTypes()),
        Map.of(),
        Period.always());
  }

  /** A session may have ended and begun again. */
  private static Set<Id> trajectories(Memory memory, SpaceId space, String name) {
    List<Trajectory> found = memory.view(space, view -> view.sessions(name));
    if (found.isEmpty()) {
      throw AppException.noSession(name, space);
    }
    return found.stream().map(Trajectory::id).collect(Collectors.toSet());
  }

  private List<EntityType> kinds() {
    return KINDS.stream().filter(kind -> types.contains(kind.word())).toList();
  }

  /** A kind of notes beside turns or artifacts would ask for both at once. */
  private List<NoteType> noteTypes() {
    List<NoteType> found = new ArrayList<>();
    for (String type : types) {
      if (KINDS.stream().noneMatch(kind -> kind.word().equals(type))) {
        found.add(noteType(type, KINDS));
      }
    }
    if (!found.isEmpty() && kinds().stream().anyMatch(kind -> kind != EntityType.NOTE)) {
      throw AppException.usage(
          "--type names a kind of notes beside turns or artifacts", "Ask for one after the other.");
    }
    return found;
  }

  /** As commands and settings write it. */
  static NoteType noteType(String word) {
    return noteType(word, List.of());
  }

  /** The same where these kinds of records can be named beside. */
  private static NoteType noteType(String word, List<EntityType> beside) {
    return Stream.of(NoteType.values())
        .filter(type -> word(type).equals(word))
        .findFirst()
        .orElseThrow(
            () -> AppException.usage("--type: there is no '%s'".formatted(word), words(beside)));
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String words(List<EntityType> beside) {
    return Stream.concat(
            beside.stream().map(EntityType::word),
            Stream.of(NoteType.values()).map(FilterOptions::word))
        .collect(Collectors.joining(", ", "There are ", "."));
  }
}
