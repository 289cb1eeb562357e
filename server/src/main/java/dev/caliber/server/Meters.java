package dev.caliber.server;

import dev.caliber.agents.Lease;
import dev.caliber.agents.LeaseWait;
import dev.caliber.agents.Message;
import dev.caliber.agents.MessageState;
import dev.caliber.server.operation.Rooms;
import dev.caliber.store.JobState;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What is held, waited for and left to do in all spaces, counted when somebody asks. */
record Meters(Rooms rooms) implements MeterBinder {
  private static final List<MessageState> ON_THE_WAY =
      List.of(MessageState.PENDING, MessageState.DELIVERED, MessageState.DEAD);

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("caliber.leases.held", () -> count(this::held))
        .description("Leases that are held.")
        .register(registry);
    Gauge.builder("caliber.leases.waiting", () -> count(this::waiting))
        .description("Places in queues for leases.")
        .register(registry);
    for (MessageState state : ON_THE_WAY) {
      Gauge.builder("caliber.messages", () -> count(() -> messages(state)))
          .description("Messages that are not done: waiting, taken, dead letters.")
          .tag("state", word(state))
          .register(registry);
    }
    for (JobState state : JobState.values()) {
      Gauge.builder("caliber.jobs", () -> count(() -> jobs(state)))
          .description("Work for later: scheduled, being done, given up.")
          .tag("state", word(state))
          .register(registry);
    }
  }

  private Query<Lease> held() {
    return Query.over(Lease.TABLE, "expires_at").from(rooms.clock().instant());
  }

  private Query<LeaseWait> waiting() {
    return Query.over(LeaseWait.TABLE, "kept_until").from(rooms.clock().instant());
  }

  private static Query<Message> messages(MessageState state) {
    return Query.over(Message.TABLE, "state", "sequence").equal(state.name());
  }

  private static Query<?> jobs(JobState state) {
    return Query.over(Jobs.TABLE, "state", "kind").equal(state.name());
  }

  private static String word(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private long count(Supplier<Query<?>> query) {
    return rooms.store().spaces().stream()
        .mapToLong(space -> rooms.store().read(space, snapshot -> snapshot.count(query.get())))
        .sum();
  }
}
