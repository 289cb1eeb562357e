package dev.caliber.memory.event;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;

/**
 * Notification on a channel. It is a record, so that followers of the change feed see it after its
 * commit and never before.
 *
 * @param channel {@code caliber_} and a name, such as {@code caliber_scope_closed}
 * @param about id of the record it is about
 */
public record Notice(Id id, String channel, Id about, Instant time) {

  public static final Table<Notice> TABLE =
      Table.of("notice", "Notifications, kept for some time.", Notice.class, Notice::id)
          .text("channel", Notice::channel)
          .instant("time", Notice::time)
          .index("channel");

  private static final String PREFIX = "caliber_";

  public static Notice onChannel(String name, Id id, Id about, Instant now) {
    return new Notice(id, PREFIX + name, about, now);
  }
}
