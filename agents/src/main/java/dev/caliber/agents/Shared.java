package dev.caliber.agents;

import dev.caliber.kernel.Id;
import java.util.List;

/** The records that cross from one agent to another: those that are named, and no others. */
public record Shared(List<Id> artifacts, List<Id> notes) {
  public static final Shared NOTHING = new Shared(List.of(), List.of());

  public Shared {
    artifacts = List.copyOf(artifacts);
    notes = List.copyOf(notes);
  }

  public static Shared notes(Id... notes) {
    return new Shared(List.of(), List.of(notes));
  }

  public Shared withArtifacts(Id... more) {
    return new Shared(List.of(more), notes);
  }
}
