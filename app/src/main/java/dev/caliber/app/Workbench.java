package dev.caliber.app;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Seam;
import dev.caliber.kernel.SpaceId;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.ServerFile;
import dev.caliber.server.Setup;
import dev.caliber.server.access.Keys;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Maintenance;
import dev.caliber.store.Progress;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What commands share: the options of the call, its configuration, its store, its output. */
final class Workbench {
  /** What the embedded engine calls its file; a test holds it against the store. */
  static final String STORE_FILE = "caliber.db";

  private static final Logger LOG = LoggerFactory.getLogger("caliber");
  private static final String SPACE_VARIABLE = "CALIBER_SPACE";
  private static final String KEY_VARIABLE = "CALIBER_KEY";
  private static final Duration LOOK_BOUND = Duration.ofMillis(20);

  private final Surroundings surroundings;
  private final CaliberCommand options;
  private @Nullable AppConfig found;

  Workbench(Surroundings surroundings, CaliberCommand options) {
    this.surroundings = surroundings;
    this.options = options;
  }

  Surroundings surroundings() {
    return surroundings;
  }

  Terminal terminal() {
    return surroundings.terminal();
  }

  Output output() {
    return new Output(terminal(), options.isJson());
  }

  /** A path of the command line, seen from where the command was started. */
  Path resolve(Path path) {
    return surroundings.directory().resolve(path).normalize();
  }

  /** A file that a command reads; asked before a store is opened, which might make one. */
  Path existingFile(Path path) {
    Path file = resolve(path);
    if (!Files.exists(file)) {
      throw AppException.fileNotFound(file);
    }
    if (!Files.isRegularFile(file)) {
      throw AppException.unreadable(file, "it is no file");
    }
    return file;
  }

  Ids ids() {
    return Ids.of(surroundings.clock(), surroundings.chance());
  }

  /** The space that was named by option or environment, else the configured one. */
  SpaceId space() {
    return namedSpace().orElseGet(() -> rooms().command().space());
  }

  /** What the option says, else the environment: for commands that otherwise mean every space. */
  Optional<SpaceId> namedSpace() {
    return options
        .space()
        .or(
            () ->
                Optional.ofNullable(surroundings.environment().get(SPACE_VARIABLE))
                    .filter(name -> !name.isEmpty()))
        .map(SpaceId::new);
  }

  /** The file that --config names. */
  Optional<Path> namedConfig() {
    return options.config().map(this::resolve);
  }

  /** The directory that --data names. */
  Optional<Path> namedData() {
    return options.data().map(this::resolve);
  }

  /** The configuration as found, with its errors; one call reads it once. */
  AppConfig findConfig() {
    AppConfig known = found;
    if (known == null) {
      known = AppConfig.find(options.config(), surroundings.directory());
      found = known;
    }
    return known;
  }

  /** Every room's part of a configuration without errors. */
  AppConfig.Rooms rooms() {
    return findConfig().verified().rooms();
  }

  /** The store's part of the configuration, with the call's own directory if there is one. */
  StoreConfig storeConfig() {
    AppConfig config = findConfig().verified();
    LOG.info("Configuration: {}, {}", config.sourceName(), config.hash());
    return config.rooms().store().withEngine(engine(config));
  }

  /** The search part of the configuration, with paths seen from the file. */
  SearchConfig searchConfig() {
    AppConfig config = findConfig().verified();
    SearchConfig.General general = config.rooms().search().general();
    return config
        .rooms()
        .search()
        .withGeneral(
            new SearchConfig.General(
                base(config).resolve(general.directory()).normalize(),
                general.patience(),
                general.limitMax(),
                general.migration()));
  }

  /** The chat model of the configuration and no other; nothing is loaded for that. */
  Models chatModel() {
    return Models.open(
        rooms().models().withProvider(ModelsConfig.Provider.NONE),
        surroundings.environment(),
        surroundings.clock());
  }

  /** The models of the configuration; keys come from the environment. */
  Models models() {
    return Models.open(
        findConfig().verified().rooms().models(), surroundings.environment(), surroundings.clock());
  }

  /** The server that holds the store, if one runs: then it is asked, and nothing is opened. */
  Optional<Remote> server() {
    AppConfig config = findConfig().verified();
    if (!(engine(config) instanceof StoreConfig.Sqlite sqlite)) {
      return Optional.empty();
    }
    try {
      return ServerFile.find(sqlite.directory())
          .map(
              address ->
                  Remote.at(
                      address,
                      rooms().command(),
                      space().value(),
                      Optional.ofNullable(surroundings.environment().get(KEY_VARIABLE))));
    } catch (IOException e) {
      throw AppException.of(e);
    }
  }

  /** What the server says that holds the store; without one, what the store itself says. */
  <T> T ask(Function<Remote, T> asked, Supplier<T> opened) {
    Optional<Remote> server = server();
    if (server.isEmpty()) {
      return opened.get();
    }
    try (Remote remote = server.get()) {
      return asked.apply(remote);
    }
  }

  Keys keys(OpenStore store) {
    return Keys.of(store.records(), surroundings.clock(), surroundings.chance());
  }

  /** Everything that a server of this store is told. */
  Setup serverSetup(ServerConfig server) {
    AppConfig.Rooms rooms = rooms();
    return new Setup(
        storeConfig(),
        searchConfig(),
        rooms.models(),
        rooms.memory(),
        rooms.runtime(),
        rooms.agents(),
        server.seenFrom(base(findConfig())),
        surroundings.environment(),
        surroundings.clock(),
        surroundings.chance());
  }

  /** Opens a store that is there; a command that only looks makes none. */
  OpenStore open() {
    StoreConfig config = storeConfig();
    if (config.engine() instanceof StoreConfig.Sqlite sqlite
        && Files.notExists(sqlite.directory().resolve(STORE_FILE))
        && !Files.isRegularFile(sqlite.directory())) {
      throw AppException.noStore(sqlite.directory());
    }
    return open(config);
  }

  /** Opens a store, making it if need be. */
  OpenStore openOrCreate() {
    return open(storeConfig());
  }

  OpenStore open(StoreConfig config) {
    List<Table<?>> tables = AppTables.declared(config);
    return inTurn(
        config,
        () ->
            new OpenStore(
                config, tables, RecordStore.open(config, tables, surroundings.clock(), ids())));
  }

  /** Commands take turns: a store that another has open is waited for, if that is no server. */
  @Seam("another process ends in this machine's time, whatever clock commands run on")
  private OpenStore inTurn(StoreConfig config, Supplier<OpenStore> opening) {
    long end = System.nanoTime() + rooms().command().turn().toNanos();
    while (true) {
      try {
        return opening.get();
      } catch (StoreException e) {
        if (e.code() != StoreErrorCode.STORE_IN_USE) {
          throw e;
        }
        CaliberException refusal = served(config, e);
        if (refusal != e || System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
          throw refusal;
        }
        LockSupport.parkNanos(LOOK_BOUND.toNanos());
      }
    }
  }

  /** The same refusal, with the server that holds the store if it is one. */
  private static CaliberException served(StoreConfig config, StoreException inUse) {
    try {
      return config.engine() instanceof StoreConfig.Sqlite sqlite
          ? ServerFile.named(sqlite.directory())
              .<CaliberException>map(address -> AppException.served(inUse, address))
              .orElse(inUse)
          : inUse;
    } catch (IOException _) {
      return inUse;
    }
  }

  /**
   * Work that fills a store, making it if need be; a refusal leaves no store that was not there.
   */
  <T> T fill(BiFunction<Maintenance, Progress, T> work) {
    StoreConfig config = storeConfig();
    Optional<FreshStore> fresh = FreshStore.at(config);
    boolean unused = false;
    try (OpenStore store = open(config)) {
      try {
        return maintain(store, work);
      } catch (CaliberException e) {
        unused = FreshStore.isUnused(store);
        throw e;
      }
    } catch (CaliberException e) {
      if (fresh.isPresent() && unused) {
        remove(fresh.get(), e);
      }
      throw e;
    }
  }

  private static void remove(FreshStore fresh, CaliberException reason) {
    try {
      fresh.remove();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /** Long work on a whole store, with a bar where somebody watches. */
  <T> T maintain(OpenStore store, BiFunction<Maintenance, Progress, T> work) {
    try (ProgressBar bar = ProgressBar.on(terminal())) {
      return work.apply(Maintenance.of(store.records()), bar);
    }
  }

  /** Paths in the file are seen from the file, so that a command finds the store from anywhere. */
  private StoreConfig.EngineConfig engine(AppConfig config) {
    Optional<Path> data = options.data().map(this::resolve);
    Path base = base(config);
    return switch (config.rooms().store().engine()) {
      case StoreConfig.Sqlite sqlite ->
          sqlite.in(data.orElse(base.resolve(sqlite.directory()).normalize()));
      case StoreConfig.InMemory memory -> refuseData(data, memory, "memory");
      case StoreConfig.Postgres postgres -> refuseData(data, postgres, "PostgreSQL");
    };
  }

  private Path base(AppConfig config) {
    return config.file().map(Path::getParent).orElse(surroundings.directory());
  }

  private static StoreConfig.EngineConfig refuseData(
      Optional<Path> data, StoreConfig.EngineConfig engine, String name) {
    data.ifPresent(
        given -> {
          throw AppException.dataDoesNotFit(given, name);
        });
    return engine;
  }
}
