package dev.caliber.store;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Section;
import dev.caliber.kernel.settings.Settings;
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
    EngineConfig engine,
    Durability durability,
    Writes writes,
    Reads reads,
    Feed feed,
    JobRules jobs,
    Doctor doctor) {

  private static final String STARTER = "starter.toml";

  /** Where the records are. */
  public sealed interface EngineConfig {}

  /** One file in a directory of this machine. */
  public record Sqlite(
      Path directory,
      DataSize cache,
      DataSize readerCache,
      long checkpointPages,
      Duration checkpointInterval)
      implements EngineConfig {

    /** Where the search indexes of this store are. */
    public Path searchDirectory() {
      return directory.resolve("search");
    }

    /** The same in another directory. */
    public Sqlite in(Path other) {
      return new Sqlite(other, cache, readerCache, checkpointPages, checkpointInterval);
    }
  }

  /** SQLite without a file: gone when it is closed. */
  public record InMemory(DataSize cache) implements EngineConfig {}

  /** A PostgreSQL server; the password comes from the environment, never from the file. */
  public record Postgres(
      String url,
      Optional<String> user,
      Optional<String> passwordVariable,
      String schema,
      int writers,
      Duration connectTimeout,
      Duration answerTimeout,
      Duration notifyInterval)
      implements EngineConfig {}

  /** Limits of writing. */
  public record Writes(
      int groupMax, int queueLimit, Duration timeLimit, DataSize recordLimit, int changesLimit) {

    public Writes withChangesLimit(int other) {
      return new Writes(groupMax, queueLimit, timeLimit, recordLimit, other);
    }
  }

  /** Limits of reading. */
  public record Reads(int sessions, Duration patience, int pageLimit, int scanLimit) {}

  /** How long the change feed is kept. */
  public record Feed(
      Duration retention,
      Duration followerExpiry,
      Duration trimInterval,
      int pageLimit,
      Duration pollInterval) {}

  /** How jobs are claimed and tried again. */
  public record JobRules(
      int parallel,
      Duration lease,
      int attemptsLimit,
      Duration backoff,
      Duration backoffLimit,
      Duration retryAfterLimit,
      Duration pollInterval) {}

  /** When the doctor warns. */
  public record Doctor(double freeDiskShare, DataSize freeDisk) {}

  private enum EngineName {
    SQLITE,
    MEMORY,
    POSTGRES
  }

  /** What the jar's own file says. */
  public static StoreConfig starter() {
    Settings settings = Settings.parse("the starter file", starterText());
    StoreConfig config = from(settings);
    settings.verify();
    return config;
  }

  /** The jar's own {@code [store]} part, with a sentence for every key. */
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
    Section store = settings.section("store");
    return new StoreConfig(
        engine(store.oneOf("engine", EngineName.class), settings),
        store.oneOf("durability", Durability.class),
        writes(settings.section("store.writes")),
        reads(settings.section("store.reads")),
        feed(settings.section("store.feed")),
        jobs(settings.section("store.jobs")),
        doctor(settings.section("store.doctor")));
  }

  public StoreConfig withEngine(EngineConfig other) {
    return new StoreConfig(other, durability, writes, reads, feed, jobs, doctor);
  }

  public StoreConfig withDurability(Durability other) {
    return new StoreConfig(engine, other, writes, reads, feed, jobs, doctor);
  }

  public StoreConfig withWrites(Writes other) {
    return new StoreConfig(engine, durability, other, reads, feed, jobs, doctor);
  }

  public StoreConfig withReads(Reads other) {
    return new StoreConfig(engine, durability, writes, other, feed, jobs, doctor);
  }

  public StoreConfig withFeed(Feed other) {
    return new StoreConfig(engine, durability, writes, reads, other, jobs, doctor);
  }

  public StoreConfig withJobs(JobRules other) {
    return new StoreConfig(engine, durability, writes, reads, feed, other, doctor);
  }

  public StoreConfig withDoctor(Doctor other) {
    return new StoreConfig(engine, durability, writes, reads, feed, jobs, other);
  }

  /** Both engines' parts are read, so that a file is complete whichever it chooses. */
  private static EngineConfig engine(EngineName name, Settings settings) {
    Sqlite sqlite = sqlite(settings.section("store.sqlite"));
    Postgres postgres = postgres(settings.section("store.postgres"));
    return switch (name) {
      case SQLITE -> sqlite;
      case MEMORY -> new InMemory(sqlite.cache());
      case POSTGRES -> postgres;
    };
  }

  private static Sqlite sqlite(Section section) {
    return new Sqlite(
        Path.of(section.text("directory")),
        section.size("cache", StoreBounds.MIN_CACHE, StoreBounds.MAX_CACHE),
        section.size("reader-cache", StoreBounds.MIN_CACHE, StoreBounds.MAX_CACHE),
        section.in("pages").whole("checkpoint-pages", 1L, StoreBounds.MAX_CHECKPOINT_PAGES),
        section.duration("checkpoint-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static Postgres postgres(Section section) {
    return new Postgres(
        section.text("url"),
        Optional.of(section.text("user")).filter(text -> !text.isBlank()),
        Optional.of(section.text("password-variable")).filter(text -> !text.isBlank()),
        section.text("schema"),
        section.in("spaces").whole("writers", 1, StoreBounds.MAX_SESSIONS),
        section.duration("connect-timeout", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        section.duration("answer-timeout", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        section.duration("notify-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static Writes writes(Section section) {
    return new Writes(
        section.in("writes").whole("group-max", 1, StoreBounds.MAX_GROUP),
        section.in("writes").whole("queue-limit", 1, StoreBounds.MAX_QUEUE),
        section.duration("time-limit", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        section.size("record-limit", StoreBounds.MIN_RECORD, StoreBounds.MAX_RECORD),
        section.in("records").whole("changes-limit", 1, StoreBounds.MAX_CHANGES));
  }

  private static Reads reads(Section section) {
    return new Reads(
        section.in("reads").whole("sessions", 1, StoreBounds.MAX_SESSIONS),
        section.duration("patience", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_TIMEOUT),
        section.in("rows").whole("page-limit", 1, StoreBounds.MAX_PAGE),
        section.in("rows").whole("scan-limit", 1, StoreBounds.MAX_SCAN));
  }

  private static Feed feed(Section section) {
    return new Feed(
        section.duration("retention", Duration.ZERO, StoreBounds.MAX_RETENTION),
        section.duration("follower-expiry", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_RETENTION),
        section.duration("trim-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        section.in("commits").whole("page-limit", 1, StoreBounds.MAX_PAGE),
        section.duration("poll-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static JobRules jobs(Section section) {
    return new JobRules(
        section.in("jobs").whole("parallel", 1, StoreBounds.MAX_SESSIONS),
        section.duration("lease", StoreBounds.MIN_TIMEOUT, StoreBounds.MAX_RETENTION),
        section.in("attempts").whole("attempts-limit", 1, StoreBounds.MAX_ATTEMPTS),
        section.duration("backoff", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        section.duration("backoff-limit", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        section.duration("retry-after-limit", StoreBounds.MIN_PAUSE, StoreBounds.MAX_RETENTION),
        section.duration("poll-interval", StoreBounds.MIN_PAUSE, StoreBounds.MAX_PAUSE));
  }

  private static Doctor doctor(Section section) {
    return new Doctor(
        section.in("share").real("free-disk-share", 0, 1),
        section.size("free-disk", StoreBounds.MIN_FREE_DISK, StoreBounds.MAX_FREE_DISK));
  }
}
