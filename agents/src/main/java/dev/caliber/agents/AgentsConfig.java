package dev.caliber.agents;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** The {@code [agents]} part of {@code caliber.toml}; the starter file explains every key. */
public record AgentsConfig(
    Heartbeats heartbeats,
    LeaseRules leases,
    Mail mail,
    Work work,
    Tending tending,
    Awaiting awaiting) {

  private static final String STARTER = "starter.toml";

  /** When an agent counts as failed, and how agents report to each other. */
  public record Heartbeats(Duration grace, int batch, int line) {}

  /** How long leases are held and waited for, and by how many. */
  public record LeaseRules(
      Duration longest, Duration place, int holders, int queue, int search, int named) {}

  /** How messages are delivered. */
  public record Mail(
      Duration acknowledgement,
      int deliveries,
      int inbox,
      int batch,
      DataSize payload,
      Duration deadLetters) {}

  /**
   * How much a delegation, a handoff or a search for conflicts may carry, and how long it stays.
   */
  public record Work(int items, DataSize text, int tasks, int compared, Duration resolved) {}

  /** How often somebody looks after what has to happen by itself. */
  public record Tending(Duration interval, int batch, int page, int list, Duration stuckAfter) {}

  /** How long, and how many at a time, callers may wait for a message or a lease. */
  public record Awaiting(Duration longest, int places) {}

  /** What the jar's own file says. */
  public static AgentsConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    AgentsConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** The jar's own {@code [agents]} part, with a sentence for every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(AgentsConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [agents]} part; the caller verifies the settings once all parts are read. */
  public static AgentsConfig from(Settings settings) {
    return new AgentsConfig(
        heartbeats(settings.section("agents.heartbeats")),
        leases(settings.section("agents.leases")),
        mail(settings.section("agents.mail")),
        work(settings.section("agents.work")),
        tending(settings.section("agents.tending")),
        awaiting(settings.section("agents.awaiting")));
  }

  public AgentsConfig withMail(Mail other) {
    return new AgentsConfig(heartbeats, leases, other, work, tending, awaiting);
  }

  public AgentsConfig withTending(Tending other) {
    return new AgentsConfig(heartbeats, leases, mail, work, other, awaiting);
  }

  public AgentsConfig withWork(Work other) {
    return new AgentsConfig(heartbeats, leases, mail, other, tending, awaiting);
  }

  public AgentsConfig withLeases(LeaseRules other) {
    return new AgentsConfig(heartbeats, other, mail, work, tending, awaiting);
  }

  private static Heartbeats heartbeats(Section section) {
    return new Heartbeats(
        section.duration("grace", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        section.in("agents").whole("batch", 1, AgentsBounds.MAX_ENTRIES),
        section.in("agents").whole("line", 1, AgentsBounds.MAX_ENTRIES));
  }

  private static LeaseRules leases(Section section) {
    return new LeaseRules(
        section.duration("longest", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        section.duration("place", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        section.in("agents").whole("holders", 1, AgentsBounds.MAX_ENTRIES),
        section.in("agents").whole("queue", 1, AgentsBounds.MAX_ENTRIES),
        section.in("agents").whole("search", 1, AgentsBounds.MAX_ENTRIES),
        section.in("agents").whole("named", 1, AgentsBounds.MAX_ENTRIES));
  }

  private static Mail mail(Section section) {
    return new Mail(
        section.duration("acknowledgement", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        section.in("deliveries").whole("deliveries", 1, AgentsBounds.MAX_ENTRIES),
        section.in("messages").whole("inbox", 1, AgentsBounds.MAX_ENTRIES),
        section.in("messages").whole("batch", 1, AgentsBounds.MAX_ENTRIES),
        section.size("payload", AgentsBounds.MIN_CONTENT, AgentsBounds.MAX_CONTENT),
        section.duration("dead-letters", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME));
  }

  private static Work work(Section section) {
    return new Work(
        section.in("records").whole("items", 1, AgentsBounds.MAX_ENTRIES),
        section.size("text", AgentsBounds.MIN_CONTENT, AgentsBounds.MAX_CONTENT),
        section.in("tasks").whole("tasks", 1, AgentsBounds.MAX_ENTRIES),
        section.in("records").whole("compared", 1, AgentsBounds.MAX_ENTRIES),
        section.duration("resolved", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME));
  }

  private static Tending tending(Section section) {
    return new Tending(
        section.duration("interval", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        section.in("records").whole("batch", 1, AgentsBounds.MAX_ENTRIES),
        section.in("rows").whole("page", 1, AgentsBounds.MAX_ENTRIES),
        section.in("records").whole("list", 1, AgentsBounds.MAX_ENTRIES),
        section.duration("stuck-after", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME));
  }

  private static Awaiting awaiting(Section section) {
    return new Awaiting(
        section.duration("longest", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        section.in("calls").whole("places", 1, AgentsBounds.MAX_ENTRIES));
  }
}
