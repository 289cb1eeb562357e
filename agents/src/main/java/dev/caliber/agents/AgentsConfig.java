package dev.caliber.agents;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.StarterSettings;
import java.time.Duration;

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

  /** Settings of failure detection and of the hierarchy of agents. */
  public record HeartbeatSettings(
      @SettingRange("10ms to 3650d") Duration timeout,
      @SettingRange("1 to 100000 agents") int batch) {}

  /** How agents report to each other. */
  public record HierarchySettings(@SettingRange("1 to 100000 agents") int maxDepth) {}

  /** Settings of leases and their queues. */
  public record LeaseSettings(
      @SettingRange("10ms to 3650d") Duration maxDuration,
      @SettingRange("10ms to 3650d") Duration queueEntryTimeout,
      @SettingRange("1 to 100000 agents") int maxHolders,
      @SettingRange("1 to 100000 agents") int maxQueueLength,
      @SettingRange("1 to 100000 agents") int deadlockSearchLimit,
      @SettingRange("1 to 100000 agents") int agentsAheadLimit) {}

  /** Settings of message delivery. */
  public record MessageSettings(
      @SettingRange("10ms to 3650d") Duration acknowledgementTimeout,
      @SettingRange("1 to 100000 deliveries") int maxDeliveries,
      @SettingRange("1 to 100000 messages") int inboxLimit,
      @SettingRange("1 to 100000 messages") int batch,
      @SettingRange("1KiB to 16MiB") DataSize payloadLimit,
      @SettingRange("10ms to 3650d") Duration deadLetterRetention) {}

  /**
   * Limits of delegations, handoffs and searches for conflicts, and the retention of resolved
   * conflicts.
   */
  public record WorkSettings(
      @SettingRange("1 to 100000 records") int itemsLimit,
      @SettingRange("1KiB to 16MiB") DataSize textLimit,
      @SettingRange("1 to 100000 tasks") int conflictSearchTasks,
      @SettingRange("1 to 100000 records") int conflictSearchRecords,
      @SettingRange("10ms to 3650d") Duration resolvedConflictRetention) {}

  /** Settings of due work and of lists. */
  public record MaintenanceSettings(
      @SettingRange("10ms to 3650d") Duration interval,
      @SettingRange("1 to 100000 records") int batch,
      @SettingRange("1 to 100000 rows") int pageSize,
      @SettingRange("1 to 100000 records") int listLimit,
      @SettingRange("10ms to 3650d") Duration stuckAfter) {}

  /** Limits of blocking calls. */
  public record BlockingCallSettings(
      @SettingRange("10ms to 3650d") Duration maxWait,
      @SettingRange("1 to 100000 calls") int maxCalls) {}

  /** Returns the settings of the starter file. */
  public static AgentsConfig starter() {
    return StarterSettings.read("agents", AgentsConfig.class);
  }

  /** Returns these settings with lines of TOML over them; each line has the full key. */
  public AgentsConfig with(String... lines) {
    return StarterSettings.override("agents", this, lines);
  }
}
