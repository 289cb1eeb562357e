package dev.caliber.agents.delegation;

import dev.caliber.kernel.Id;
import java.util.List;

/** Records that one agent shares with another, by id. */
public record SharedRecords(List<Id> artifacts, List<Id> notes) {
  public static final SharedRecords NOTHING = new SharedRecords(List.of(), List.of());

  public SharedRecords {
    artifacts = List.copyOf(artifacts);
    notes = List.copyOf(notes);
  }

  public static SharedRecords notes(Id... notes) {
    return new SharedRecords(List.of(), List.of(notes));
  }

  public SharedRecords withArtifacts(Id... more) {
    return new SharedRecords(List.of(more), notes);
  }
}
