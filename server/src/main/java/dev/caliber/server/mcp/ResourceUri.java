package dev.caliber.server.mcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.RecordChange;
import dev.caliber.store.Table;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The address of a readable resource.
 *
 * @param id empty for the graph, which consists of all notes
 */
record ResourceUri(ResourceKind kind, Optional<Id> id) {
  static final String GRAPH = "memory://knowledge-graph";

  /** The kinds of resources, each with its table. */
  enum ResourceKind {
    TRAJECTORY("caliber://trajectories/", Trajectory.TABLE, "get_trajectory"),
    NOTE("caliber://notes/", Note.TABLE, "get_note"),
    WINDOW("caliber://windows/", Window.TABLE, "replay_window"),
    GRAPH(ResourceUri.GRAPH, Note.TABLE, "read_graph");

    private final String prefix;
    private final String table;
    private final String operation;

    ResourceKind(String prefix, Table<?> table, String operation) {
      this.prefix = prefix;
      this.table = table.name();
      this.operation = operation;
    }

    String prefix() {
      return prefix;
    }

    boolean isTableOf(RecordChange recordChange) {
      return recordChange.table().equals(table);
    }

    /** The operation that reads the resource. */
    String readOperation() {
      return operation;
    }
  }

  static Optional<ResourceUri> parse(String text) {
    if (text.equals(GRAPH)) {
      return Optional.of(new ResourceUri(ResourceKind.GRAPH, Optional.empty()));
    }
    return Stream.of(ResourceKind.values())
        .filter(
            resourceKind ->
                resourceKind != ResourceKind.GRAPH && text.startsWith(resourceKind.prefix))
        .flatMap(
            resourceKind ->
                parseId(text.substring(resourceKind.prefix.length()))
                    .map(id -> new ResourceUri(resourceKind, Optional.of(id)))
                    .stream())
        .findFirst();
  }

  private static Optional<Id> parseId(String text) {
    try {
      return Optional.of(Id.parse(text));
    } catch (KernelException _) {
      return Optional.empty();
    }
  }

  String text() {
    return kind.prefix + id.map(Id::toString).orElse("");
  }

  boolean isChangedBy(RecordChange recordChange) {
    return kind.isTableOf(recordChange) && (id.isEmpty() || parseId(recordChange.key()).equals(id));
  }

  /** Returns whether the change adds an entry to the list of resources or removes one. */
  static boolean isListedKind(RecordChange recordChange) {
    return recordChange.kind() != ChangeKind.UPDATED
        && (ResourceKind.TRAJECTORY.isTableOf(recordChange)
            || ResourceKind.NOTE.isTableOf(recordChange));
  }
}
