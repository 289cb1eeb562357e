package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;

/**
 * A word to whoever listens on a channel. It is a record, so that it is sent exactly when its
 * commit stands: followers of the change feed see it after that and never before.
 *
 * @param channel {@code caliber_} and a name, such as {@code caliber_scope_closed}
 * @param about the id of the record it is about
 */
public record Notice(Id id, String channel, Id about, Instant time) {

  public static final Table<Notice> TABLE =
      Table.of("notice", "Words to listeners, for some time.", Notice.class, Notice::id)
          .text("channel", Notice::channel)
          .instant("time", Notice::time)
          .index("channel");

  private static final String PREFIX = "caliber_";

  public static Notice on(String name, Id id, Id about, Instant now) {
    return new Notice(id, PREFIX + name, about, now);
  }
}
