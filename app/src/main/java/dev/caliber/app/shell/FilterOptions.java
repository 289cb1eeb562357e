package dev.caliber.app.shell;

import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.NoteType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options that select records. */
public final class FilterOptions {
  private static final List<EntityType> KINDS =
      List.of(EntityType.NOTE, EntityType.TURN, EntityType.ARTIFACT);

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      description =
          "Only records of this person or thing; recall also finds records of the whole space.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--external-id",
      paramLabel = "NAME",
      description = "Only records with this external id, their name in your own system.")
  private Optional<String> externalId = Optional.empty();

  @Option(
      names = "--entity",
      paramLabel = "NAME",
      description = "Only notes about this, as named with 'remember --entity'.")
  private Optional<String> about = Optional.empty();

  @Option(
      names = "--session",
      paramLabel = "NAME",
      description = "Only turns and artifacts of this session.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      split = ",",
      description =
          "Only these types: note, turn or artifact, or kinds of notes (fact, preference,"
              + " convention, strategy, gotcha, relationship, procedure, meta). Can be repeated.")
  private List<String> types = List.of();

  boolean isEmpty() {
    return subject.isEmpty()
        && externalId.isEmpty()
        && about.isEmpty()
        && session.isEmpty()
        && types.isEmpty();
  }

  /** Adds the options to the input of an operation, and refuses wrong types. */
  void addTo(OperationInput input) {
    List<NoteType> _ = noteTypes();
    input
        .with("subject", subject)
        .with("external_id", externalId)
        .with("about", about)
        .with("session", session)
        .with("types", Optional.of(types).filter(some -> !some.isEmpty()));
  }

  private List<EntityType> recordKinds() {
    return KINDS.stream().filter(kind -> types.contains(kind.lowerCaseName())).toList();
  }

  /** Returns the kinds of notes; refuses them together with turns or artifacts. */
  private List<NoteType> noteTypes() {
    List<NoteType> found = new ArrayList<>();
    for (String type : types) {
      if (KINDS.stream().noneMatch(kind -> kind.lowerCaseName().equals(type))) {
        found.add(parseNoteType(type, KINDS));
      }
    }
    if (!found.isEmpty() && recordKinds().stream().anyMatch(kind -> kind != EntityType.NOTE)) {
      throw AppException.usage(
          "--type cannot combine a kind of notes with turn or artifact",
          "Ask for them in separate calls.");
    }
    return found;
  }

  /** Parses a kind of notes as commands and settings write it. */
  public static NoteType parseNoteType(String word) {
    return parseNoteType(word, List.of());
  }

  /** Parses a kind of notes, where the types in {@code beside} are also valid. */
  private static NoteType parseNoteType(String word, List<EntityType> beside) {
    return Stream.of(NoteType.values())
        .filter(type -> lowerCaseName(type).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                AppException.usage(
                    "--type: unknown type '%s'".formatted(word), acceptedTypes(beside)));
  }

  public static String lowerCaseName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String acceptedTypes(List<EntityType> beside) {
    return Stream.concat(
            beside.stream().map(EntityType::lowerCaseName),
            Stream.of(NoteType.values()).map(FilterOptions::lowerCaseName))
        .collect(Collectors.joining(", ", "Valid types are ", "."));
  }
}
