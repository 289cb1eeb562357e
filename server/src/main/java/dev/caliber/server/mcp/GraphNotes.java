package dev.caliber.server.mcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.server.mcp.KnowledgeGraph.GraphEntity;
import dev.caliber.server.mcp.KnowledgeGraph.GraphRelation;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A mapping from entities and relations to notes. The observations of an entity are all believed
 * notes about it, of every author. A note of type META records that an entity exists without
 * observations. A relation is a note of type RELATIONSHIP about its start; its entity type contains
 * the relation's name and end, so that two relations are never merged.
 */
record GraphNotes(Memory memory, MemoryConfig config) {
  private static final String ROLE = "graph";
  private static final String ENTITY = "entity";
  private static final String RELATION = "relation";
  private static final String TO = "graph_to";
  private static final String RELATION_TYPE = "graph_relation";

  private static boolean hasRole(Note note, String role) {
    return role.equals(note.labels().metadata().get(ROLE));
  }

  private static boolean isObservation(Note note) {
    return !hasRole(note, ENTITY) && !hasRole(note, RELATION);
  }

  private static GraphRelation toRelation(Note note) {
    Map<String, Object> metadata = note.labels().metadata();
    return new GraphRelation(
        note.entity(),
        String.valueOf(metadata.get(TO)),
        String.valueOf(metadata.get(RELATION_TYPE)));
  }

  /** Reads the whole graph, oldest first; refuses one with more notes than one read returns. */
  KnowledgeGraph readGraph(Snapshot snapshot) {
    Map<String, GraphEntity> entities = new LinkedHashMap<>();
    List<GraphRelation> relations = new ArrayList<>();
    for (Note note : readAll(snapshot, Query.over(Note.TABLE).where(Note::isBelieved))) {
      if (hasRole(note, RELATION)) {
        relations.add(toRelation(note));
      } else {
        entities.merge(note.entity(), toEntity(note), GraphNotes::mergeEntities);
      }
    }
    return new KnowledgeGraph(List.copyOf(entities.values()), relations);
  }

  private static GraphEntity toEntity(Note note) {
    return new GraphEntity(
        note.entity(),
        note.entityType(),
        isObservation(note) ? List.of(note.content()) : List.of());
  }

  private static GraphEntity mergeEntities(GraphEntity one, GraphEntity more) {
    List<String> observations = new ArrayList<>(one.observations());
    observations.addAll(more.observations());
    return new GraphEntity(one.name(), one.entityType(), observations);
  }

  /** Returns the believed notes about one entity, its relations included. */
  private List<Note> notesAbout(Snapshot snapshot, String entity) {
    return readAll(
        snapshot, Query.over(Note.TABLE, "live_entity", "entity_type", "type").equal(entity));
  }

  /** Returns the type of the entity, if it exists. */
  Optional<String> entityType(Snapshot snapshot, String entity) {
    return notesAbout(snapshot, entity).stream()
        .filter(note -> !hasRole(note, RELATION))
        .min((one, other) -> one.id().compareTo(other.id()))
        .map(Note::entityType);
  }

  List<String> observations(Snapshot snapshot, String entity) {
    return notesAbout(snapshot, entity).stream()
        .filter(GraphNotes::isObservation)
        .map(Note::content)
        .toList();
  }

  void createEntity(Transaction transaction, Optional<String> subject, GraphEntity graphEntity) {
    memory.run(
        transaction,
        WriteNote.of(
                graphEntity.name(),
                graphEntity.entityType(),
                NoteType.META,
                "The entity '%s' exists already with the type '%s'"
                    .formatted(graphEntity.name(), graphEntity.entityType()))
            .withLabels(labels(subject).withMetadata(ROLE, ENTITY)));
  }

  void addObservation(
      Transaction transaction, Optional<String> subject, GraphEntity graphEntity, String content) {
    memory.run(
        transaction,
        WriteNote.of(graphEntity.name(), graphEntity.entityType(), NoteType.FACT, content)
            .withLabels(labels(subject)));
  }

  private static Labels labels(Optional<String> subject) {
    return subject.map(Labels::ofSubject).orElse(Labels.none());
  }

  private Optional<Note> findNote(Snapshot snapshot, GraphRelation graphRelation) {
    return readAll(
            snapshot,
            Query.over(Note.TABLE, "live_entity", "entity_type", "type")
                .equal(
                    graphRelation.from(),
                    relationLabel(graphRelation),
                    NoteType.RELATIONSHIP.name()))
        .stream()
        .filter(note -> hasRole(note, RELATION))
        .findFirst();
  }

  private static String relationLabel(GraphRelation graphRelation) {
    return "%s -> %s".formatted(graphRelation.relationType(), graphRelation.to());
  }

  boolean hasRelation(Snapshot snapshot, GraphRelation graphRelation) {
    return findNote(snapshot, graphRelation).isPresent();
  }

  void createRelation(
      Transaction transaction, Optional<String> subject, GraphRelation graphRelation) {
    memory.run(
        transaction,
        WriteNote.of(
                graphRelation.from(),
                relationLabel(graphRelation),
                NoteType.RELATIONSHIP,
                "%s %s %s"
                    .formatted(
                        graphRelation.from(), graphRelation.relationType(), graphRelation.to()))
            .withLabels(
                labels(subject)
                    .withMetadata(ROLE, RELATION)
                    .withMetadata(TO, graphRelation.to())
                    .withMetadata(RELATION_TYPE, graphRelation.relationType())));
  }

  void deleteRelation(Transaction transaction, GraphRelation graphRelation) {
    findNote(transaction, graphRelation).ifPresent(note -> forgetNote(transaction, note.id()));
  }

  /** Deletes entities with all notes about them and all relations that include them. */
  void deleteEntities(Transaction transaction, Set<String> entities) {
    for (String entity : entities) {
      notesAbout(transaction, entity).forEach(note -> forgetNote(transaction, note.id()));
    }
    readAll(transaction, relationNotes(note -> entities.contains(toRelation(note).to())))
        .forEach(note -> forgetNote(transaction, note.id()));
  }

  /** Returns the relations that match, in one pass over the notes for any number of entities. */
  private static Query<Note> relationNotes(Predicate<Note> wanted) {
    return Query.over(Note.TABLE)
        .where(note -> note.isBelieved() && hasRole(note, RELATION) && wanted.test(note));
  }

  /** Returns the entities with these names, and all relations that include one of them. */
  KnowledgeGraph openNodes(Snapshot snapshot, Set<String> names) {
    List<GraphEntity> entities = new ArrayList<>();
    for (String name : names) {
      notesAbout(snapshot, name).stream()
          .filter(note -> !hasRole(note, RELATION))
          .sorted((one, other) -> one.id().compareTo(other.id()))
          .map(GraphNotes::toEntity)
          .reduce(GraphNotes::mergeEntities)
          .ifPresent(entities::add);
    }
    Set<String> found = entities.stream().map(GraphEntity::name).collect(Collectors.toSet());
    List<Note> theirs =
        readAll(
            snapshot,
            relationNotes(
                note -> found.contains(note.entity()) || found.contains(toRelation(note).to())));
    return new KnowledgeGraph(entities, theirs.stream().map(GraphNotes::toRelation).toList());
  }

  void deleteObservation(Transaction transaction, String entity, String content) {
    notesAbout(transaction, entity).stream()
        .filter(note -> isObservation(note) && note.content().equals(content))
        .forEach(note -> forgetNote(transaction, note.id()));
  }

  private void forgetNote(Transaction transaction, Id note) {
    memory.run(transaction, ForgetRecords.of(note));
  }

  /** Reads all records, or throws an error that names the limit. */
  private List<Note> readAll(Snapshot snapshot, Query<Note> query) {
    Limit records = new Limit("memory.limits.list", config.limits().list());
    List<Note> found = snapshot.list(query, (int) records.max() + 1);
    records.requireWithin(found.size());
    return found;
  }
}
