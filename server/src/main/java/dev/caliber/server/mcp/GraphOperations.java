package dev.caliber.server.mcp;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.Texts;
import dev.caliber.server.mcp.Graph.Entity;
import dev.caliber.server.mcp.Graph.Relation;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Rooms;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The nine operations of the reference memory server, on notes: a client's configuration changes by
 * one line, and what its models have learned to call stays as it is.
 */
final class GraphOperations {
  private static final Needs READING = Needs.reading(MemoryKind.NOTE);
  private static final Needs WRITING = Needs.writing(MemoryKind.NOTE);

  private final Rooms rooms;
  private final GraphNotes notes;

  private GraphOperations(Rooms rooms) {
    this.rooms = rooms;
    this.notes = new GraphNotes(rooms.memory(), rooms.memoryConfig());
  }

  static List<Operation<?, ?>> of(Rooms rooms) {
    GraphOperations here = new GraphOperations(rooms);
    return List.of(
        Operation.writing(
                "create_entities",
                "Makes entities of a graph.",
                Entities.class,
                here::createEntities)
            .forAgents(WRITING)
            .forSubjects(),
        Operation.writing(
                "create_relations",
                "Makes relations between entities.",
                Relations.class,
                here::createRelations)
            .forAgents(WRITING)
            .forSubjects(),
        Operation.writing(
                "add_observations", "Adds what is known of entities.", Adding.class, here::add)
            .forAgents(WRITING)
            .forSubjects(),
        Operation.writing(
                "delete_entities",
                "Forgets entities for good.",
                EntityNames.class,
                here::deleteEntities)
            .forAgents(Needs.EVERYTHING)
            .forSubjects(),
        Operation.writing(
                "delete_observations",
                "Forgets single observations for good.",
                Deleting.class,
                here::deleteObservations)
            .forAgents(Needs.EVERYTHING)
            .forSubjects(),
        Operation.writing(
                "delete_relations",
                "Forgets relations for good.",
                Relations.class,
                here::deleteRelations)
            .forAgents(Needs.EVERYTHING)
            .forSubjects(),
        Operation.<Nothing, Graph>reading(
                "read_graph", "The whole graph.", Nothing.class, (caller, _) -> here.graph(caller))
            .forAgents(READING)
            .forSubjects(),
        Operation.<Search, Graph>reading(
                "search_nodes",
                "Entities in which all words of a query occur, with their relations.",
                Search.class,
                (caller, input) -> here.graph(caller).search(here.bounded(input.query())))
            .forAgents(READING)
            .forSubjects(),
        Operation.reading(
                "open_nodes", "Entities by name, with their relations.", Names.class, here::open)
            .forAgents(READING)
            .forSubjects());
  }

  record Nothing() {}

  record Search(String query) {}

  record Names(List<String> names) {}

  record EntityNames(@JsonProperty("entityNames") List<String> entityNames) {}

  record Entities(List<Entity> entities) {}

  record Relations(List<Relation> relations) {}

  /** Observations to be added to an entity. */
  record Observed(@JsonProperty("entityName") String entityName, List<String> contents) {}

  record Adding(List<Observed> observations) {}

  /** Observations that an entity got. */
  record Added(
      @JsonProperty("entityName") String entityName,
      @JsonProperty("addedObservations") List<String> addedObservations) {}

  record AllAdded(List<Added> results) {}

  /** Observations that an entity loses. */
  record Deletion(@JsonProperty("entityName") String entityName, List<String> observations) {}

  record Deleting(List<Deletion> deletions) {}

  record Deleted(boolean success, String message) {}

  /** As many at a time as one request is worth. */
  private <T> List<T> bounded(List<T> many) {
    requireFew(many.stream(), _ -> 1);
    return many;
  }

  private String bounded(String query) {
    new Limit("memory.limits.text", rooms.memoryConfig().limits().text().bytes())
        .check("query", Texts.bytes(query));
    return query;
  }

  /** With what each of them brings counted. */
  private <T> List<T> bounded(List<T> many, Function<T, List<String>> brings) {
    bounded(many);
    requireFew(many.stream(), one -> brings.apply(one).size());
    return many;
  }

  private <T> void requireFew(Stream<T> many, ToLongFunction<T> count) {
    new Limit("memory.limits.page", rooms.memoryConfig().limits().page())
        .check(many.mapToLong(count).sum());
  }

  private Graph open(Caller caller, Names wish) {
    Set<String> names = new LinkedHashSet<>(bounded(wish.names()));
    return rooms.store().read(caller.space(), snapshot -> notes.open(snapshot, names));
  }

  private Graph graph(Caller caller) {
    return rooms.store().read(caller.space(), notes::read);
  }

  /** Those that are there already stay as they are. */
  private Entities createEntities(Transaction transaction, Caller caller, Entities wish) {
    List<Entity> made = new ArrayList<>();
    for (Entity entity : bounded(wish.entities(), Entity::observations)) {
      if (notes.typeOf(transaction, entity.name()).isEmpty()) {
        notes.create(transaction, caller.subject(), entity);
        entity
            .observations()
            .forEach(text -> notes.observe(transaction, caller.subject(), entity, text));
        made.add(entity);
      }
    }
    return new Entities(made);
  }

  private Relations createRelations(Transaction transaction, Caller caller, Relations wish) {
    List<Relation> made = new ArrayList<>();
    for (Relation relation : bounded(wish.relations())) {
      if (!notes.has(transaction, relation)) {
        notes.create(transaction, caller.subject(), relation);
        made.add(relation);
      }
    }
    return new Relations(made);
  }

  private AllAdded add(Transaction transaction, Caller caller, Adding wish) {
    return new AllAdded(
        bounded(wish.observations(), Observed::contents).stream()
            .map(observed -> add(transaction, caller.subject(), observed))
            .toList());
  }

  /** What was added is what is there now and was not before. */
  private Added add(Transaction transaction, Optional<String> subject, Observed observed) {
    String entity = observed.entityName();
    String type =
        notes
            .typeOf(transaction, entity)
            .orElseThrow(
                () ->
                    ServerException.invalidInput(
                        "/observations",
                        "Entity with name %s not found: create it with create_entities first"
                            .formatted(entity)));
    List<String> before = notes.observations(transaction, entity);
    Entity known = new Entity(entity, type, List.of());
    observed.contents().forEach(text -> notes.observe(transaction, subject, known, text));
    List<String> after = notes.observations(transaction, entity);
    return new Added(
        entity,
        observed.contents().stream()
            .distinct()
            .filter(text -> !before.contains(text) && after.contains(text))
            .toList());
  }

  private Deleted deleteEntities(Transaction transaction, Caller caller, EntityNames wish) {
    notes.deleteEntities(transaction, Set.copyOf(bounded(wish.entityNames())));
    return new Deleted(true, "Entities deleted successfully");
  }

  private Deleted deleteObservations(Transaction transaction, Caller caller, Deleting wish) {
    for (Deletion deletion : bounded(wish.deletions(), Deletion::observations)) {
      deletion
          .observations()
          .forEach(text -> notes.deleteObservation(transaction, deletion.entityName(), text));
    }
    return new Deleted(true, "Observations deleted successfully");
  }

  private Deleted deleteRelations(Transaction transaction, Caller caller, Relations wish) {
    bounded(wish.relations()).forEach(relation -> notes.delete(transaction, relation));
    return new Deleted(true, "Relations deleted successfully");
  }
}
