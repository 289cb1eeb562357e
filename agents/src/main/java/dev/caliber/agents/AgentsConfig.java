package dev.caliber.agents;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the {@code [agents]} section of {@code caliber.toml}; the starter file explains every
 * key.
 */
public record AgentsConfig(
    HeartbeatSettings heartbeats,
    HierarchySettings hierarchy,
    LeaseSettings leases,
    MessageSettings messages,
    WorkSettings work,
    MaintenanceSettings maintenance,
    BlockingCallSettings blockingCalls) {

  private static final String STARTER = "starter.toml";

  /** Settings of failure detection and of the hierarchy of agents. */
  public record HeartbeatSettings(Duration timeout, int batch) {}

  /** How agents report to each other. */
  public record HierarchySettings(int maxDepth) {}

  /** Settings of leases and their queues. */
  public record LeaseSettings(
      Duration maxDuration,
      Duration queueEntryTimeout,
      int maxHolders,
      int maxQueueLength,
      int deadlockSearchLimit,
      int agentsAheadLimit) {}

  /** Settings of message delivery. */
  public record MessageSettings(
      Duration acknowledgementTimeout,
      int maxDeliveries,
      int inboxLimit,
      int batch,
      DataSize payloadLimit,
      Duration deadLetterRetention) {}

  /**
   * Limits of delegations, handoffs and searches for conflicts, and the retention of resolved
   * conflicts.
   */
  public record WorkSettings(
      int itemsLimit,
      DataSize textLimit,
      int conflictSearchTasks,
      int conflictSearchRecords,
      Duration resolvedConflictRetention) {}

  /** Settings of due work and of lists. */
  public record MaintenanceSettings(
      Duration interval, int batch, int pageSize, int listLimit, Duration stuckAfter) {}

  /** Limits of blocking calls. */
  public record BlockingCallSettings(Duration maxWait, int maxCalls) {}

  /** Returns the settings of the starter file in the jar. */
  public static AgentsConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    AgentsConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** Returns the {@code [agents]} section of the starter file, with a sentence for every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(AgentsConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the {@code [agents]} section; the caller verifies the settings once all sections are
   * read.
   */
  public static AgentsConfig from(Settings settings) {
    return new AgentsConfig(
        heartbeats(settings.section("agents.heartbeats")),
        hierarchy(settings.section("agents.hierarchy")),
        leases(settings.section("agents.leases")),
        messages(settings.section("agents.messages")),
        work(settings.section("agents.work")),
        maintenance(settings.section("agents.maintenance")),
        blockingCalls(settings.section("agents.blocking-calls")));
  }

  public AgentsConfig withMessages(MessageSettings other) {
    return new AgentsConfig(heartbeats, hierarchy, leases, other, work, maintenance, blockingCalls);
  }

  public AgentsConfig withMaintenance(MaintenanceSettings other) {
    return new AgentsConfig(heartbeats, hierarchy, leases, messages, work, other, blockingCalls);
  }

  public AgentsConfig withWork(WorkSettings other) {
    return new AgentsConfig(
        heartbeats, hierarchy, leases, messages, other, maintenance, blockingCalls);
  }

  public AgentsConfig withLeases(LeaseSettings other) {
    return new AgentsConfig(
        heartbeats, hierarchy, other, messages, work, maintenance, blockingCalls);
  }

  private static HeartbeatSettings heartbeats(SettingsSection settingsSection) {
    return new HeartbeatSettings(
        settingsSection.duration("timeout", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        settingsSection.withUnit("agents").wholeNumber("batch", 1, AgentsBounds.MAX_ENTRIES));
  }

  private static HierarchySettings hierarchy(SettingsSection settingsSection) {
    return new HierarchySettings(
        settingsSection.withUnit("agents").wholeNumber("max-depth", 1, AgentsBounds.MAX_ENTRIES));
  }

  private static LeaseSettings leases(SettingsSection settingsSection) {
    return new LeaseSettings(
        settingsSection.duration("max-duration", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        settingsSection.duration(
            "queue-entry-timeout", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        settingsSection.withUnit("agents").wholeNumber("max-holders", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection
            .withUnit("agents")
            .wholeNumber("max-queue-length", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection
            .withUnit("agents")
            .wholeNumber("deadlock-search-limit", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection
            .withUnit("agents")
            .wholeNumber("agents-ahead-limit", 1, AgentsBounds.MAX_ENTRIES));
  }

  private static MessageSettings messages(SettingsSection settingsSection) {
    return new MessageSettings(
        settingsSection.duration(
            "acknowledgement-timeout", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        settingsSection
            .withUnit("deliveries")
            .wholeNumber("max-deliveries", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection
            .withUnit("messages")
            .wholeNumber("inbox-limit", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection.withUnit("messages").wholeNumber("batch", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection.size("payload-limit", AgentsBounds.MIN_CONTENT, AgentsBounds.MAX_CONTENT),
        settingsSection.duration(
            "dead-letter-retention", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME));
  }

  private static WorkSettings work(SettingsSection settingsSection) {
    return new WorkSettings(
        settingsSection.withUnit("records").wholeNumber("items-limit", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection.size("text-limit", AgentsBounds.MIN_CONTENT, AgentsBounds.MAX_CONTENT),
        settingsSection
            .withUnit("tasks")
            .wholeNumber("conflict-search-tasks", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection
            .withUnit("records")
            .wholeNumber("conflict-search-records", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection.duration(
            "resolved-conflict-retention", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME));
  }

  private static MaintenanceSettings maintenance(SettingsSection settingsSection) {
    return new MaintenanceSettings(
        settingsSection.duration("interval", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        settingsSection.withUnit("records").wholeNumber("batch", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection.withUnit("rows").wholeNumber("page-size", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection.withUnit("records").wholeNumber("list-limit", 1, AgentsBounds.MAX_ENTRIES),
        settingsSection.duration("stuck-after", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME));
  }

  private static BlockingCallSettings blockingCalls(SettingsSection settingsSection) {
    return new BlockingCallSettings(
        settingsSection.duration("max-wait", AgentsBounds.MIN_TIME, AgentsBounds.MAX_TIME),
        settingsSection.withUnit("calls").wholeNumber("max-calls", 1, AgentsBounds.MAX_ENTRIES));
  }
}
