package dev.caliber.server.mcp;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.Limit;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.server.mcp.KnowledgeGraph.GraphEntity;
import dev.caliber.server.mcp.KnowledgeGraph.GraphRelation;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.NoInput;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.operation.ServerModules;
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
 * The nine operations of the MCP reference memory server, stored as notes. A client switches by one
 * line of configuration, and its models call the same tools.
 */
final class GraphOperations {
  private static final RequiredPermissions READING =
      RequiredPermissions.forReading(MemoryKind.NOTE);
  private static final RequiredPermissions WRITING =
      RequiredPermissions.forWriting(MemoryKind.NOTE);

  private final ServerModules modules;
  private final GraphNotes notes;

  private GraphOperations(ServerModules modules) {
    this.modules = modules;
    this.notes = new GraphNotes(modules.memory(), modules.memoryConfig());
  }

  static List<Operation<?, ?>> operations(ServerModules modules) {
    GraphOperations here = new GraphOperations(modules);
    return Stream.of(changes(here), queries(here)).flatMap(List::stream).toList();
  }

  private static List<Operation<?, ?>> changes(GraphOperations here) {
    return List.of(
        Operation.transactional("create_entities", EntityList.class, here::createEntities)
            .forAgents(WRITING)
            .forSubjects(),
        Operation.transactional("create_relations", RelationList.class, here::createRelations)
            .forAgents(WRITING)
            .forSubjects(),
        Operation.transactional(
                "add_observations", AddObservationsRequest.class, here::addObservations)
            .forAgents(WRITING)
            .forSubjects(),
        Operation.transactional(
                "delete_entities", DeleteEntitiesRequest.class, here::deleteEntities)
            .forAgents(RequiredPermissions.EVERYTHING)
            .forSubjects(),
        Operation.transactional(
                "delete_observations", DeleteObservationsRequest.class, here::deleteObservations)
            .forAgents(RequiredPermissions.EVERYTHING)
            .forSubjects(),
        Operation.transactional("delete_relations", RelationList.class, here::deleteRelations)
            .forAgents(RequiredPermissions.EVERYTHING)
            .forSubjects());
  }

  private static List<Operation<?, ?>> queries(GraphOperations here) {
    return List.of(
        Operation.readOnly("read_graph", NoInput.class, (caller, _) -> here.readGraph(caller))
            .forAgents(READING)
            .forSubjects(),
        Operation.readOnly(
                "search_nodes",
                SearchNodesRequest.class,
                (caller, input) ->
                    here.readGraph(caller).search(here.requireBounded(input.query())))
            .forAgents(READING)
            .forSubjects(),
        Operation.readOnly("open_nodes", OpenNodesRequest.class, here::openNodes)
            .forAgents(READING)
            .forSubjects());
  }

  record SearchNodesRequest(String query) {}

  record OpenNodesRequest(List<String> names) {}

  record DeleteEntitiesRequest(@JsonProperty("entityNames") List<String> entityNames) {}

  record EntityList(List<GraphEntity> entities) {}

  record RelationList(List<GraphRelation> relations) {}

  /** The observations to add to an entity. */
  record ObservationsOfEntity(
      @JsonProperty("entityName") String entityName, List<String> contents) {}

  record AddObservationsRequest(List<ObservationsOfEntity> observations) {}

  /** The observations that were added to an entity. */
  record AddedObservations(
      @JsonProperty("entityName") String entityName,
      @JsonProperty("addedObservations") List<String> addedObservations) {}

  record AddObservationsResponse(List<AddedObservations> results) {}

  /** The observations to delete from an entity. */
  record ObservationDeletion(
      @JsonProperty("entityName") String entityName, List<String> observations) {}

  record DeleteObservationsRequest(List<ObservationDeletion> deletions) {}

  record DeletionResponse(boolean success, String message) {}

  /** Refuses more elements than one request may have. */
  private <T> List<T> requireBounded(List<T> many) {
    checkCount(many.stream(), _ -> 1);
    return many;
  }

  private String requireBounded(String query) {
    new Limit("memory.limits.text", modules.memoryConfig().limits().text().bytes())
        .requireWithin("query", TextChecks.utf8Length(query));
    return query;
  }

  /** Refuses more elements, their parts included, than one request may have. */
  private <T> List<T> requireBounded(List<T> many, Function<T, List<String>> brings) {
    requireBounded(many);
    checkCount(many.stream(), one -> brings.apply(one).size());
    return many;
  }

  private <T> void checkCount(Stream<T> many, ToLongFunction<T> count) {
    new Limit("memory.limits.page-size", modules.memoryConfig().limits().pageSize())
        .requireWithin(many.mapToLong(count).sum());
  }

  private KnowledgeGraph openNodes(Caller caller, OpenNodesRequest request) {
    Set<String> names = new LinkedHashSet<>(requireBounded(request.names()));
    return modules.store().read(caller.space(), snapshot -> notes.openNodes(snapshot, names));
  }

  private KnowledgeGraph readGraph(Caller caller) {
    return modules.store().read(caller.space(), notes::readGraph);
  }

  /** Creates the entities that do not exist yet. */
  private EntityList createEntities(Transaction transaction, Caller caller, EntityList request) {
    List<GraphEntity> made = new ArrayList<>();
    for (GraphEntity graphEntity : requireBounded(request.entities(), GraphEntity::observations)) {
      if (notes.entityType(transaction, graphEntity.name()).isEmpty()) {
        notes.createEntity(transaction, caller.subject(), graphEntity);
        graphEntity
            .observations()
            .forEach(
                text -> notes.addObservation(transaction, caller.subject(), graphEntity, text));
        made.add(graphEntity);
      }
    }
    return new EntityList(made);
  }

  private RelationList createRelations(
      Transaction transaction, Caller caller, RelationList request) {
    List<GraphRelation> made = new ArrayList<>();
    for (GraphRelation graphRelation : requireBounded(request.relations())) {
      if (!notes.hasRelation(transaction, graphRelation)) {
        notes.createRelation(transaction, caller.subject(), graphRelation);
        made.add(graphRelation);
      }
    }
    return new RelationList(made);
  }

  private AddObservationsResponse addObservations(
      Transaction transaction, Caller caller, AddObservationsRequest request) {
    return new AddObservationsResponse(
        requireBounded(request.observations(), ObservationsOfEntity::contents).stream()
            .map(
                observationsOfEntity ->
                    addObservations(transaction, caller.subject(), observationsOfEntity))
            .toList());
  }

  /** Adds observations; reports those that were not there before. */
  private AddedObservations addObservations(
      Transaction transaction,
      Optional<String> subject,
      ObservationsOfEntity observationsOfEntity) {
    String entity = observationsOfEntity.entityName();
    String type =
        notes
            .entityType(transaction, entity)
            .orElseThrow(
                () ->
                    ServerException.invalidInput(
                        "/observations",
                        "Entity with name %s not found: create it with create_entities first"
                            .formatted(entity)));
    List<String> before = notes.observations(transaction, entity);
    GraphEntity known = new GraphEntity(entity, type, List.of());
    observationsOfEntity
        .contents()
        .forEach(text -> notes.addObservation(transaction, subject, known, text));
    List<String> after = notes.observations(transaction, entity);
    return new AddedObservations(
        entity,
        observationsOfEntity.contents().stream()
            .distinct()
            .filter(text -> !before.contains(text) && after.contains(text))
            .toList());
  }

  private DeletionResponse deleteEntities(
      Transaction transaction, Caller caller, DeleteEntitiesRequest request) {
    notes.deleteEntities(transaction, Set.copyOf(requireBounded(request.entityNames())));
    return new DeletionResponse(true, "Entities deleted successfully");
  }

  private DeletionResponse deleteObservations(
      Transaction transaction, Caller caller, DeleteObservationsRequest request) {
    for (ObservationDeletion observationDeletion :
        requireBounded(request.deletions(), ObservationDeletion::observations)) {
      observationDeletion
          .observations()
          .forEach(
              text -> notes.deleteObservation(transaction, observationDeletion.entityName(), text));
    }
    return new DeletionResponse(true, "Observations deleted successfully");
  }

  private DeletionResponse deleteRelations(
      Transaction transaction, Caller caller, RelationList request) {
    requireBounded(request.relations())
        .forEach(graphRelation -> notes.deleteRelation(transaction, graphRelation));
    return new DeletionResponse(true, "Relations deleted successfully");
  }
}
