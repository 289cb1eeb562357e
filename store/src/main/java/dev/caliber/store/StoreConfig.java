package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.SettingRange;
import dev.caliber.kernel.settings.SettingVariant;
import dev.caliber.kernel.settings.StarterSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The {@code [store]} part of {@code caliber.toml}; the starter file explains every key. */
public record StoreConfig(
    EngineSettings engine,
    Durability durability,
    WriteSettings writes,
    ReadSettings reads,
    FeedSettings feed,
    JobSettings jobs,
    DoctorSettings doctor) {

  /** Settings of the engine that stores the records. */
  public sealed interface EngineSettings {}

  /** SQLite settings: one file in a directory of this machine. */
  @SettingVariant(value = "sqlite", table = "sqlite")
  public record SqliteSettings(
      Path directory,
      @SettingRange("1MiB to 64GiB") DataSize writerCache,
      @SettingRange("1MiB to 64GiB") DataSize readerCache,
      @SettingRange("1 to 16777216 pages") long checkpointPages,
      @SettingRange("1ms to 1h") Duration checkpointInterval)
      implements EngineSettings {

    /** Returns the directory of this store's search indexes. */
    public Path searchDirectory() {
      return directory.resolve("search");
    }

    /** Returns these settings with another directory. */
    public SqliteSettings withDirectory(Path other) {
      return new SqliteSettings(
          other, writerCache, readerCache, checkpointPages, checkpointInterval);
    }
  }

  /** SQLite without a file: its content is lost when it is closed. */
  @SettingVariant(value = "memory", table = "sqlite")
  public record InMemorySettings(@SettingRange("1MiB to 64GiB") DataSize writerCache)
      implements EngineSettings {}

  /** PostgreSQL settings; the password comes from the environment, never from the file. */
  @SettingVariant(value = "postgres", table = "postgres")
  public record PostgresSettings(
      String url,
      Optional<String> user,
      Optional<String> passwordVariable,
      String schema,
      @SettingRange("1 to 1000 spaces") int writeConnections,
      @SettingRange("10ms to 1h") Duration connectTimeout,
      @SettingRange("10ms to 1h") Duration statementTimeout,
      @SettingRange("1ms to 1h") Duration notifyInterval)
      implements EngineSettings {}

  /** Limits of writing. */
  public record WriteSettings(
      @SettingRange("1 to 1024 writes") int groupLimit,
      @SettingRange("1 to 1000000 writes") int queueLimit,
      @SettingRange("10ms to 1h") Duration timeLimit,
      @SettingRange("1KiB to 32MiB") DataSize recordLimit,
      @SettingRange("1 to 1000000 records") int changesLimit) {}

  /** Limits of reading. */
  public record ReadSettings(
      @SettingRange("1 to 1000 reads") int connections,
      @SettingRange("10ms to 1h") Duration queueTimeout,
      @SettingRange("1 to 100000 rows") int pageLimit,
      @SettingRange("1 to 10000000 rows") int scanLimit) {}

  /** Retention of the change feed. */
  public record FeedSettings(
      @SettingRange("0s to 36500d") Duration retention,
      @SettingRange("10ms to 36500d") Duration followerExpiry,
      @SettingRange("1ms to 36500d") Duration trimInterval,
      @SettingRange("1 to 100000 commits") int pageLimit,
      @SettingRange("1ms to 1h") Duration pollInterval) {}

  /** Limits and pauses of claiming and retrying jobs. */
  public record JobSettings(
      @SettingRange("1 to 1000 jobs") int concurrency,
      @SettingRange("10ms to 36500d") Duration leaseDuration,
      @SettingRange("1 to 1000 attempts") int attemptsLimit,
      @SettingRange("1ms to 36500d") Duration backoff,
      @SettingRange("1ms to 36500d") Duration backoffLimit,
      @SettingRange("1ms to 36500d") Duration retryAfterLimit,
      @SettingRange("1ms to 1h") Duration pollInterval) {}

  /** Thresholds of the doctor's warnings. */
  public record DoctorSettings(
      @SettingRange("0 to 1 share") double freeDiskShare,
      @SettingRange("0B to 1048576GiB") DataSize freeDisk) {}

  /** Returns the settings of the starter file. */
  public static StoreConfig starter() {
    return StarterSettings.read("store", StoreConfig.class);
  }

  /** Returns these settings with lines of TOML over them; each line has the full key. */
  public StoreConfig with(String... lines) {
    return StarterSettings.override("store", this, lines);
  }

  public StoreConfig withEngine(EngineSettings other) {
    return new StoreConfig(other, durability, writes, reads, feed, jobs, doctor);
  }
}
