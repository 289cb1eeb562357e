package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.store.StoreErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Forgets in as many commits as it takes. What a filter means is searched for before a commit, in
 * one read for many of them: a search may walk over whole tables, and nobody can write meanwhile.
 */
final class Forgetting {
  /** One commit that forgets at most so many records. */
  interface Commit {
    Forgotten forget(SpaceId space, Prepared prepared, Forget command, int most);
  }

  private final MemoryConfig.Limits limits;
  private final Preparation preparation;
  private final Commit commit;

  Forgetting(MemoryConfig config, Preparation preparation, Commit commit) {
    this.limits = config.limits();
    this.preparation = preparation;
    this.commit = commit;
  }

  Forgotten forget(SpaceId space, Forget command) {
    new Guard(limits).check(command);
    Optional<RecallFilter> searched = command.searched();
    if (command.preview() || searched.isEmpty()) {
      return reached(space, command);
    }
    List<EntityRef> gone = new ArrayList<>();
    List<EntityRef> found = preparation.meant(space, searched.get());
    while (!found.isEmpty()) {
      gone.addAll(found(space, command, found));
      boolean all = found.size() < limits.records();
      found = all ? List.of() : preparation.meant(space, searched.get());
    }
    return new Forgotten(gone, false, true);
  }

  /** What can be reached by an id or a subject; a preview is one commit that changes nothing. */
  private Forgotten reached(SpaceId space, Forget command) {
    Prepared prepared = preparation.of(space, command);
    Portion part = portion(space, prepared, command, limits.turns());
    List<EntityRef> gone = new ArrayList<>(part.gone().records());
    while (!part.gone().complete() && !command.preview()) {
      part = portion(space, prepared, command, part.most());
      gone.addAll(part.gone().records());
    }
    return new Forgotten(gone, command.preview(), part.gone().complete());
  }

  private List<EntityRef> found(SpaceId space, Forget command, List<EntityRef> found) {
    List<EntityRef> gone = new ArrayList<>();
    int most = limits.turns();
    for (int from = 0; from < found.size(); ) {
      List<EntityRef> rest = found.subList(from, Math.min(from + most, found.size()));
      Portion part = portion(space, Prepared.of(rest), command, most);
      gone.addAll(part.gone().records());
      most = part.most();
      from += Math.min(most, rest.size());
    }
    return gone;
  }

  /** What went in one commit, of at most so many that were asked for. */
  private record Portion(Forgotten gone, int most) {}

  /** Where so much quotes the forgotten that one commit cannot hold it, it takes fewer. */
  private Portion portion(SpaceId space, Prepared prepared, Forget command, int most) {
    try {
      return new Portion(commit.forget(space, prepared, command, most), most);
    } catch (CaliberException e) {
      if (e.code().kind() != ErrorKind.LIMIT || most == 1) {
        throw e;
      }
      return portion(space, prepared, command, fewer(e, most));
    }
  }

  /** A commit that lasts too long keeps everybody waiting: it is tried once more, with one. */
  private static int fewer(CaliberException refusal, int most) {
    return refusal.code() == StoreErrorCode.WRITE_TOO_LONG ? 1 : most / 2;
  }
}
