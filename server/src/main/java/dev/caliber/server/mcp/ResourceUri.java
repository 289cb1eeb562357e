package dev.caliber.server.mcp;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Change;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Table;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The address of something that can be read.
 *
 * @param id empty for the graph, which is all notes
 */
record ResourceUri(Kind kind, Optional<Id> id) {
  static final String GRAPH = "memory://knowledge-graph";

  /** What there is to read; a table of the store each. */
  enum Kind {
    TRAJECTORY("caliber://trajectories/", Trajectory.TABLE, "get_trajectory"),
    NOTE("caliber://notes/", Note.TABLE, "get_note"),
    WINDOW("caliber://windows/", Window.TABLE, "replay_window"),
    GRAPH(ResourceUri.GRAPH, Note.TABLE, "read_graph");

    private final String prefix;
    private final String table;
    private final String operation;

    Kind(String prefix, Table<?> table, String operation) {
      this.prefix = prefix;
      this.table = table.name();
      this.operation = operation;
    }

    String prefix() {
      return prefix;
    }

    boolean has(Change change) {
      return change.table().equals(table);
    }

    /** What reads it. */
    String operation() {
      return operation;
    }
  }

  static Optional<ResourceUri> parse(String text) {
    if (text.equals(GRAPH)) {
      return Optional.of(new ResourceUri(Kind.GRAPH, Optional.empty()));
    }
    return Stream.of(Kind.values())
        .filter(kind -> kind != Kind.GRAPH && text.startsWith(kind.prefix))
        .flatMap(
            kind ->
                id(text.substring(kind.prefix.length()))
                    .map(id -> new ResourceUri(kind, Optional.of(id)))
                    .stream())
        .findFirst();
  }

  private static Optional<Id> id(String text) {
    try {
      return Optional.of(Id.parse(text));
    } catch (KernelException _) {
      return Optional.empty();
    }
  }

  String text() {
    return kind.prefix + id.map(Id::toString).orElse("");
  }

  boolean isTouchedBy(Change change) {
    return kind.has(change) && (id.isEmpty() || id(change.key()).equals(id));
  }

  /** Whether the list of resources may have another entry, or one less. */
  static boolean isListedKind(Change change) {
    return change.kind() != ChangeKind.UPDATED
        && (Kind.TRAJECTORY.has(change) || Kind.NOTE.has(change));
  }
}
