package dev.caliber.server.mcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.server.mcp.Graph.Entity;
import dev.caliber.server.mcp.Graph.Relation;
import dev.caliber.store.Page;
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
 * How entities and relations are notes. An entity is what notes are about: its observations are all
 * notes about it that are believed, whoever wrote them. That it exists without any is a note of
 * type META. A relation is a note of type RELATIONSHIP about where it starts, whose entity type
 * names the relation and where it ends, so that no two relations are ever merged into one.
 */
record GraphNotes(Memory memory, MemoryConfig config) {
  private static final String ROLE = "graph";
  private static final String ENTITY = "entity";
  private static final String RELATION = "relation";
  private static final String TO = "graph_to";
  private static final String RELATION_TYPE = "graph_relation";

  private static boolean is(Note note, String role) {
    return role.equals(note.labels().metadata().get(ROLE));
  }

  private static boolean isObservation(Note note) {
    return !is(note, ENTITY) && !is(note, RELATION);
  }

  private static Relation relation(Note note) {
    Map<String, Object> metadata = note.labels().metadata();
    return new Relation(
        note.entity(),
        String.valueOf(metadata.get(TO)),
        String.valueOf(metadata.get(RELATION_TYPE)));
  }

  /** Everything, oldest first; a graph that is larger than memory gives out at once is refused. */
  Graph read(Snapshot snapshot) {
    Map<String, Entity> entities = new LinkedHashMap<>();
    List<Relation> relations = new ArrayList<>();
    for (Note note : all(snapshot, Query.over(Note.TABLE).where(Note::isBelieved))) {
      if (is(note, RELATION)) {
        relations.add(relation(note));
      } else {
        entities.merge(note.entity(), entity(note), GraphNotes::joined);
      }
    }
    return new Graph(List.copyOf(entities.values()), relations);
  }

  private static Entity entity(Note note) {
    return new Entity(
        note.entity(),
        note.entityType(),
        isObservation(note) ? List.of(note.content()) : List.of());
  }

  private static Entity joined(Entity one, Entity more) {
    List<String> observations = new ArrayList<>(one.observations());
    observations.addAll(more.observations());
    return new Entity(one.name(), one.entityType(), observations);
  }

  /** What is believed about one entity, its own relations included. */
  private List<Note> about(Snapshot snapshot, String entity) {
    return all(
        snapshot, Query.over(Note.TABLE, "live_entity", "entity_type", "type").equal(entity));
  }

  /** Its sort, if there is such an entity. */
  Optional<String> typeOf(Snapshot snapshot, String entity) {
    return about(snapshot, entity).stream()
        .filter(note -> !is(note, RELATION))
        .min((one, other) -> one.id().compareTo(other.id()))
        .map(Note::entityType);
  }

  List<String> observations(Snapshot snapshot, String entity) {
    return about(snapshot, entity).stream()
        .filter(GraphNotes::isObservation)
        .map(Note::content)
        .toList();
  }

  void create(Transaction transaction, Optional<String> subject, Entity entity) {
    memory.run(
        transaction,
        WriteNote.of(
                entity.name(),
                entity.entityType(),
                NoteType.META,
                "%s is of type %s".formatted(entity.name(), entity.entityType()))
            .labelled(labels(subject).with(ROLE, ENTITY)));
  }

  void observe(Transaction transaction, Optional<String> subject, Entity entity, String content) {
    memory.run(
        transaction,
        WriteNote.of(entity.name(), entity.entityType(), NoteType.FACT, content)
            .labelled(labels(subject)));
  }

  private static Labels labels(Optional<String> subject) {
    return subject.map(Labels::ofSubject).orElse(Labels.none());
  }

  private Optional<Note> find(Snapshot snapshot, Relation relation) {
    return all(
            snapshot,
            Query.over(Note.TABLE, "live_entity", "entity_type", "type")
                .equal(relation.from(), sort(relation), NoteType.RELATIONSHIP.name()))
        .stream()
        .filter(note -> is(note, RELATION))
        .findFirst();
  }

  private static String sort(Relation relation) {
    return "%s -> %s".formatted(relation.relationType(), relation.to());
  }

  boolean has(Snapshot snapshot, Relation relation) {
    return find(snapshot, relation).isPresent();
  }

  void create(Transaction transaction, Optional<String> subject, Relation relation) {
    memory.run(
        transaction,
        WriteNote.of(
                relation.from(),
                sort(relation),
                NoteType.RELATIONSHIP,
                "%s %s %s".formatted(relation.from(), relation.relationType(), relation.to()))
            .labelled(
                labels(subject)
                    .with(ROLE, RELATION)
                    .with(TO, relation.to())
                    .with(RELATION_TYPE, relation.relationType())));
  }

  void delete(Transaction transaction, Relation relation) {
    find(transaction, relation).ifPresent(note -> forget(transaction, note.id()));
  }

  /** With all that is known of them, and all relations that they are part of. */
  void deleteEntities(Transaction transaction, Set<String> entities) {
    for (String entity : entities) {
      about(transaction, entity).forEach(note -> forget(transaction, note.id()));
    }
    all(transaction, relations(note -> entities.contains(relation(note).to())))
        .forEach(note -> forget(transaction, note.id()));
  }

  /** One pass over the notes, however many entities it is about. */
  private static Query<Note> relations(Predicate<Note> wanted) {
    return Query.over(Note.TABLE)
        .where(note -> note.isBelieved() && is(note, RELATION) && wanted.test(note));
  }

  /** Those with these names, and all relations that one of them is part of. */
  Graph open(Snapshot snapshot, Set<String> names) {
    List<Entity> entities = new ArrayList<>();
    for (String name : names) {
      about(snapshot, name).stream()
          .filter(note -> !is(note, RELATION))
          .sorted((one, other) -> one.id().compareTo(other.id()))
          .map(GraphNotes::entity)
          .reduce(GraphNotes::joined)
          .ifPresent(entities::add);
    }
    Set<String> found = entities.stream().map(Entity::name).collect(Collectors.toSet());
    List<Note> theirs =
        all(
            snapshot,
            relations(
                note -> found.contains(note.entity()) || found.contains(relation(note).to())));
    return new Graph(entities, theirs.stream().map(GraphNotes::relation).toList());
  }

  void deleteObservation(Transaction transaction, String entity, String content) {
    about(transaction, entity).stream()
        .filter(note -> isObservation(note) && note.content().equals(content))
        .forEach(note -> forget(transaction, note.id()));
  }

  private void forget(Transaction transaction, Id note) {
    memory.run(transaction, Forget.of(note));
  }

  /** All of them, or an error that names the limit. */
  private List<Note> all(Snapshot snapshot, Query<Note> query) {
    Limit records = new Limit("memory.limits.records", config.limits().records());
    List<Note> found = new ArrayList<>();
    Page<Note> page = snapshot.scan(query, config.limits().page());
    found.addAll(page.records());
    while (page.next().isPresent()) {
      records.check(found.size());
      page = snapshot.scan(query.resume(page.next().get()), config.limits().page());
      found.addAll(page.records());
    }
    records.check(found.size());
    return found;
  }
}
