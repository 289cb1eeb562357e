package dev.caliber.app.shell;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.kernel.settings.SettingsLayer;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.server.LocalOperations;
import dev.caliber.server.ServerAddressFile;
import dev.caliber.server.ServerSetup;
import dev.caliber.server.Wiring;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.maintenance.Maintenance;
import dev.caliber.store.search.SearchConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Context of one call that all commands share: options, configuration, store and output. */
public final class CommandContext {
  /** File name of the embedded engine's store; a test compares it with the store module. */
  public static final String STORE_FILE = "caliber.db";

  private static final Logger LOG = LoggerFactory.getLogger("caliber");
  private static final String SPACE_VARIABLE = "CALIBER_SPACE";
  private static final String KEY_VARIABLE = "CALIBER_API_KEY";
  private static final Duration LOOK_BOUND = Duration.ofMillis(20);

  private final ProcessEnvironment processEnvironment;
  private final CaliberCommand options;
  private @Nullable AppConfig found;

  public CommandContext(ProcessEnvironment processEnvironment, CaliberCommand options) {
    this.processEnvironment = processEnvironment;
    this.options = options;
  }

  /** Returns a context with these options and another clock. */
  public CommandContext withClock(Clock clock) {
    return new CommandContext(processEnvironment.withClock(clock), options);
  }

  public ProcessEnvironment environment() {
    return processEnvironment;
  }

  public Terminal terminal() {
    return processEnvironment.terminal();
  }

  public CommandOutput output() {
    return new CommandOutput(terminal(), options.isJson());
  }

  /** Resolves a path of the command line against the working directory. */
  public Path resolve(Path path) {
    return processEnvironment.directory().resolve(path).normalize();
  }

  /** Returns an input file; call it before opening a store, which might create one. */
  public Path requireFile(Path path) {
    Path file = resolve(path);
    if (!Files.exists(file)) {
      throw AppException.fileNotFound(file);
    }
    if (!Files.isRegularFile(file)) {
      throw AppException.unreadable(file, "it is not a file");
    }
    return file;
  }

  public IdGenerator ids() {
    return IdGenerator.of(processEnvironment.clock(), processEnvironment.chance());
  }

  /** Returns the space named by option or environment, else the configured one. */
  public SpaceId space() {
    return namedSpace().orElseGet(() -> configs().command().defaultSpace());
  }

  /** Returns the space named by option or environment; empty means every space. */
  public Optional<SpaceId> namedSpace() {
    return options
        .space()
        .or(
            () ->
                Optional.ofNullable(processEnvironment.environment().get(SPACE_VARIABLE))
                    .filter(name -> !name.isEmpty()))
        .map(SpaceId::new);
  }

  /** Returns the file of {@code --config}. */
  public Optional<Path> namedConfig() {
    return options.config().map(this::resolve);
  }

  /** Returns the directory of {@code --data}. */
  public Optional<Path> namedData() {
    return options.data().map(this::resolve);
  }

  /** Returns the configuration with its errors; it is read once per call. */
  public AppConfig findConfig() {
    AppConfig known = found;
    if (known == null) {
      known =
          AppConfig.find(
              options.config(), processEnvironment.directory(), processEnvironment.environment());
      found = known;
    }
    return known;
  }

  /** Returns the settings of every module; throws if the configuration has errors. */
  public AppConfig.ModuleConfigs configs() {
    return findConfig().requireValid().configs();
  }

  /** Returns the store settings, with the directory of {@code --data} if it is given. */
  public StoreConfig storeConfig() {
    AppConfig config = findConfig().requireValid();
    LOG.info("Configuration: {}", SettingsLayer.describe(config.settings().layers()));
    return config.configs().store().withEngine(engineConfig(config));
  }

  /** Returns the search settings, with paths resolved against the configuration file. */
  SearchConfig searchConfig() {
    AppConfig config = findConfig().requireValid();
    SearchConfig search = config.configs().search();
    return search.withDirectory(
        baseDirectory(config).resolve(search.general().directory()).normalize());
  }

  /** Returns the configured models; their keys come from the environment. */
  Models models() {
    return Models.open(
        findConfig().requireValid().configs().models(),
        processEnvironment.environment(),
        processEnvironment.clock());
  }

  /** Runs one operation of an existing store. */
  <T> T call(String operation, OperationInput input, Class<T> type) {
    try (StoreOperations operations = operations(StoreUse.EXISTING)) {
      return operations.call(operation, input, type);
    }
  }

  /** Opens the operations of the store, for the user of this process. */
  StoreOperations operations(StoreUse use) {
    return operations(use, ActorNameOption.defaultName(processEnvironment));
  }

  /**
   * Opens the operations of the store: those of the server that holds it, else the same ones in
   * this process.
   *
   * @param actor the name in the audit log, if no server holds the store
   */
  public StoreOperations operations(StoreUse use, String actor) {
    Optional<ServerClient> server = runningServer();
    if (server.isPresent() && use == StoreUse.BY_WORDS_ALONE) {
      throw AppException.wordsOnlyNotSupported();
    }
    return server.isPresent() ? server.get() : localOperations(use, actor);
  }

  private StoreOperations localOperations(StoreUse use, String actor) {
    SpaceId space = space();
    boolean semantic = use == StoreUse.WITH_EMBEDDING_MODEL;
    ModelsConfig models = configs().models();
    ServerSetup setup =
        serverSetup(
            configs().server(),
            semantic ? models : models.withProvider(ModelsConfig.EmbeddingProvider.NONE));
    if (use != StoreUse.CREATED_IF_MISSING) {
      requireStore(setup.store());
    }
    LocalStoreOperations local =
        new LocalStoreOperations(
            openWhenFree(setup.store(), () -> LocalOperations.open(setup)),
            this,
            space,
            actor,
            semantic);
    return semantic ? local.withLoadedModel() : local;
  }

  /** Returns the running server that holds the store, which the command then does not open. */
  private Optional<ServerClient> runningServer() {
    AppConfig config = findConfig().requireValid();
    if (!(engineConfig(config) instanceof StoreConfig.SqliteSettings sqliteSettings)) {
      return Optional.empty();
    }
    try {
      return ServerAddressFile.findTrusted(sqliteSettings.directory())
          .map(
              address ->
                  ServerClient.of(
                      address,
                      configs().command(),
                      space().value(),
                      Optional.ofNullable(processEnvironment.environment().get(KEY_VARIABLE))));
    } catch (IOException e) {
      throw AppException.of(e);
    }
  }

  /** Returns the settings and services that a server of this store needs. */
  public ServerSetup serverSetup(ServerConfig server) {
    return serverSetup(server, configs().models());
  }

  private ServerSetup serverSetup(ServerConfig server, ModelsConfig models) {
    AppConfig.ModuleConfigs moduleConfigs = configs();
    return new ServerSetup(
        storeConfig(),
        searchConfig(),
        models,
        moduleConfigs.memory(),
        moduleConfigs.runtime(),
        moduleConfigs.agents(),
        server.withTlsBaseDirectory(baseDirectory(findConfig())),
        processEnvironment.environment(),
        processEnvironment.clock(),
        processEnvironment.chance());
  }

  /** Opens an existing store; reading commands create none. */
  public OpenStore open() {
    StoreConfig config = storeConfig();
    requireStore(config);
    return open(config);
  }

  private static void requireStore(StoreConfig config) {
    if (config.engine() instanceof StoreConfig.SqliteSettings sqliteSettings
        && Files.notExists(sqliteSettings.directory().resolve(STORE_FILE))
        && !Files.isRegularFile(sqliteSettings.directory())) {
      throw AppException.noStore(sqliteSettings.directory());
    }
  }

  public OpenStore open(StoreConfig config) {
    return openWhenFree(
        config,
        () ->
            new OpenStore(
                config, Stores.open(config, Wiring.tables(), processEnvironment.clock(), ids())));
  }

  /** Waits for a store that another command has open, but not for one that a server holds. */
  @SystemAccess("another process ends in this machine's time, whatever clock commands run on")
  private <T> T openWhenFree(StoreConfig config, Supplier<T> opening) {
    long end = System.nanoTime() + configs().command().storeLockTimeout().toNanos();
    while (true) {
      try {
        return opening.get();
      } catch (StoreException e) {
        if (e.code() != StoreErrorCode.STORE_IN_USE) {
          throw e;
        }
        CaliberException refusal = storeInUseError(config, e);
        if (refusal != e || System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
          throw refusal;
        }
        LockSupport.parkNanos(LOOK_BOUND.toNanos());
      }
    }
  }

  /** Returns the error that the store is in use, with the address of its server if there is one. */
  private static CaliberException storeInUseError(StoreConfig config, StoreException inUse) {
    try {
      return config.engine() instanceof StoreConfig.SqliteSettings sqliteSettings
          ? ServerAddressFile.findUntrusted(sqliteSettings.directory())
              .<CaliberException>map(address -> AppException.storeHeldByServer(inUse, address))
              .orElse(inUse)
          : inUse;
    } catch (IOException _) {
      return inUse;
    }
  }

  /**
   * Runs work that fills a store, and creates the store if necessary; after a refusal, a store that
   * was created for it is removed.
   */
  public <T> T fillStore(BiFunction<Maintenance, ProgressListener, T> work) {
    StoreConfig config = storeConfig();
    Optional<NewEmbeddedStore> fresh = NewEmbeddedStore.ifMissing(config);
    boolean unused = false;
    try (OpenStore store = open(config)) {
      try {
        return runMaintenance(store, work);
      } catch (CaliberException e) {
        unused = NewEmbeddedStore.isUnused(store);
        throw e;
      }
    } catch (CaliberException e) {
      if (fresh.isPresent() && unused) {
        removeFreshStore(fresh.get(), e);
      }
      throw e;
    }
  }

  private static void removeFreshStore(NewEmbeddedStore fresh, CaliberException reason) {
    try {
      fresh.remove();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /** Runs long work on a whole store, with a progress bar on a terminal. */
  public <T> T runMaintenance(OpenStore store, BiFunction<Maintenance, ProgressListener, T> work) {
    try (ProgressBar bar = ProgressBar.forTerminal(terminal())) {
      return work.apply(Maintenance.of(store.records()), bar);
    }
  }

  /** Resolves the engine's paths against the configuration file. */
  private StoreConfig.EngineSettings engineConfig(AppConfig config) {
    Optional<Path> data = options.data().map(this::resolve);
    Path base = baseDirectory(config);
    return switch (config.configs().store().engine()) {
      case StoreConfig.SqliteSettings sqliteSettings ->
          sqliteSettings.withDirectory(
              data.orElse(base.resolve(sqliteSettings.directory()).normalize()));
      case StoreConfig.InMemorySettings memory -> refuseDataOption(data, memory, "memory");
      case StoreConfig.PostgresSettings postgresSettings ->
          refuseDataOption(data, postgresSettings, "PostgreSQL");
    };
  }

  private Path baseDirectory(AppConfig config) {
    return config.file().map(Path::getParent).orElse(processEnvironment.directory());
  }

  private static StoreConfig.EngineSettings refuseDataOption(
      Optional<Path> data, StoreConfig.EngineSettings engine, String name) {
    data.ifPresent(
        given -> {
          throw AppException.dataOptionNotSupported(given, name);
        });
    return engine;
  }
}
