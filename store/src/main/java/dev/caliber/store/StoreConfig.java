package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.kernel.settings.SettingsSection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
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

  private static final String STARTER = "starter.toml";

  /** Settings of the engine that stores the records. */
  public sealed interface EngineSettings {}

  /** SQLite settings: one file in a directory of this machine. */
  public record SqliteSettings(
      Path directory,
      DataSize writerCache,
      DataSize readerCache,
      long checkpointPages,
      Duration checkpointInterval)
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
  public record InMemorySettings(DataSize writerCache) implements EngineSettings {}

  /** PostgreSQL settings; the password comes from the environment, never from the file. */
  public record PostgresSettings(
      String url,
      Optional<String> user,
      Optional<String> passwordVariable,
      String schema,
      int writeConnections,
      Duration connectTimeout,
      Duration statementTimeout,
      Duration notifyInterval)
      implements EngineSettings {}

  /** Limits of writing. */
  public record WriteSettings(
      int groupLimit, int queueLimit, Duration timeLimit, DataSize recordLimit, int changesLimit) {

    public WriteSettings withChangesLimit(int other) {
      return new WriteSettings(groupLimit, queueLimit, timeLimit, recordLimit, other);
    }
  }

  /** Limits of reading. */
  public record ReadSettings(
      int connections, Duration queueTimeout, int pageLimit, int scanLimit) {}

  /** Retention of the change feed. */
  public record FeedSettings(
      Duration retention,
      Duration followerExpiry,
      Duration trimInterval,
      int pageLimit,
      Duration pollInterval) {}

  /** Limits and pauses of claiming and retrying jobs. */
  public record JobSettings(
      int concurrency,
      Duration leaseDuration,
      int attemptsLimit,
      Duration backoff,
      Duration backoffLimit,
      Duration retryAfterLimit,
      Duration pollInterval) {}

  /** Thresholds of the doctor's warnings. */
  public record DoctorSettings(double freeDiskShare, DataSize freeDisk) {}

  private enum EngineKind {
    SQLITE,
    MEMORY,
    POSTGRES
  }

  /** Returns the settings of the starter file in the jar. */
  public static StoreConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    StoreConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** Returns the {@code [store]} part of the starter file, with a sentence for every key. */
  public static String starterText() {
    try (InputStream in =
        Objects.requireNonNull(StoreConfig.class.getResourceAsStream(STARTER), STARTER)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the {@code [store]} part; the caller verifies the settings once all parts are read. */
  public static StoreConfig from(Settings settings) {
    SettingsSection store = settings.section("store");
    return new StoreConfig(
        engine(store.oneOf("engine", EngineKind.class), settings),
        store.oneOf("durability", Durability.class),
        writes(settings.section("store.writes")),
        reads(settings.section("store.reads")),
        feed(settings.section("store.feed")),
        jobs(settings.section("store.jobs")),
        doctor(settings.section("store.doctor")));
  }

  public StoreConfig withEngine(EngineSettings other) {
    return new StoreConfig(other, durability, writes, reads, feed, jobs, doctor);
  }

  public StoreConfig withDurability(Durability other) {
    return new StoreConfig(engine, other, writes, reads, feed, jobs, doctor);
  }

  public StoreConfig withWrites(WriteSettings other) {
    return new StoreConfig(engine, durability, other, reads, feed, jobs, doctor);
  }

  public StoreConfig withReads(ReadSettings other) {
    return new StoreConfig(engine, durability, writes, other, feed, jobs, doctor);
  }

  public StoreConfig withFeed(FeedSettings other) {
    return new StoreConfig(engine, durability, writes, reads, other, jobs, doctor);
  }

  public StoreConfig withJobs(JobSettings other) {
    return new StoreConfig(engine, durability, writes, reads, feed, other, doctor);
  }

  public StoreConfig withDoctor(DoctorSettings other) {
    return new StoreConfig(engine, durability, writes, reads, feed, jobs, other);
  }

  /** Reads both engines' settings, so that a file is complete whichever engine it selects. */
  private static EngineSettings engine(EngineKind name, Settings settings) {
    SqliteSettings sqliteSettings = sqlite(settings.section("store.sqlite"));
    PostgresSettings postgresSettings = postgres(settings.section("store.postgres"));
    return switch (name) {
      case SQLITE -> sqliteSettings;
      case MEMORY -> new InMemorySettings(sqliteSettings.writerCache());
      case POSTGRES -> postgresSettings;
    };
  }

  private static SqliteSettings sqlite(SettingsSection settingsSection) {
    return new SqliteSettings(
        Path.of(settingsSection.text("directory")),
        settingsSection.size("writer-cache", StoreBounds.MIN_CACHE, StoreBounds.MAX_CACHE),
        settingsSection.size("reader-cache", StoreBounds.MIN_CACHE, StoreBounds.MAX_CACHE),
        settingsSection
            .withUnit("pages")
            .wholeNumber("checkpoint-pages", 1L, StoreBounds.MAX_CHECKPOINT_PAGES),
        settingsSection.duration(
            "checkpoint-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static PostgresSettings postgres(SettingsSection settingsSection) {
    return new PostgresSettings(
        settingsSection.text("url"),
        Optional.of(settingsSection.text("user")).filter(text -> !text.isBlank()),
        Optional.of(settingsSection.text("password-variable")).filter(text -> !text.isBlank()),
        settingsSection.text("schema"),
        settingsSection
            .withUnit("spaces")
            .wholeNumber("write-connections", 1, StoreBounds.MAX_SESSIONS),
        settingsSection.duration(
            "connect-timeout", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        settingsSection.duration(
            "statement-timeout", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        settingsSection.duration("notify-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static WriteSettings writes(SettingsSection settingsSection) {
    return new WriteSettings(
        settingsSection.withUnit("writes").wholeNumber("group-limit", 1, StoreBounds.MAX_GROUP),
        settingsSection.withUnit("writes").wholeNumber("queue-limit", 1, StoreBounds.MAX_QUEUE),
        settingsSection.duration("time-limit", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        settingsSection.size("record-limit", StoreBounds.MIN_RECORD, StoreBounds.MAX_RECORD),
        settingsSection
            .withUnit("records")
            .wholeNumber("changes-limit", 1, StoreBounds.MAX_CHANGES));
  }

  private static ReadSettings reads(SettingsSection settingsSection) {
    return new ReadSettings(
        settingsSection.withUnit("reads").wholeNumber("connections", 1, StoreBounds.MAX_SESSIONS),
        settingsSection.duration("queue-timeout", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        settingsSection.withUnit("rows").wholeNumber("page-limit", 1, StoreBounds.MAX_PAGE),
        settingsSection.withUnit("rows").wholeNumber("scan-limit", 1, StoreBounds.MAX_SCAN));
  }

  private static FeedSettings feed(SettingsSection settingsSection) {
    return new FeedSettings(
        settingsSection.duration("retention", Duration.ZERO, StoreBounds.MAX_RETENTION),
        settingsSection.duration(
            "follower-expiry", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_RETENTION),
        settingsSection.duration("trim-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        settingsSection.withUnit("commits").wholeNumber("page-limit", 1, StoreBounds.MAX_PAGE),
        settingsSection.duration("poll-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static JobSettings jobs(SettingsSection settingsSection) {
    return new JobSettings(
        settingsSection.withUnit("jobs").wholeNumber("concurrency", 1, StoreBounds.MAX_SESSIONS),
        settingsSection.duration(
            "lease-duration", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_RETENTION),
        settingsSection
            .withUnit("attempts")
            .wholeNumber("attempts-limit", 1, StoreBounds.MAX_ATTEMPTS),
        settingsSection.duration("backoff", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        settingsSection.duration("backoff-limit", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        settingsSection.duration(
            "retry-after-limit", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        settingsSection.duration("poll-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static DoctorSettings doctor(SettingsSection settingsSection) {
    return new DoctorSettings(
        settingsSection.withUnit("share").decimalNumber("free-disk-share", 0, 1),
        settingsSection.size("free-disk", StoreBounds.MIN_FREE_DISK, StoreBounds.MAX_FREE_DISK));
  }
}
