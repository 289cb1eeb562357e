package dev.caliber.server.operation;

import dev.caliber.agents.FencedStore;
import dev.caliber.agents.Needs;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.PackComposer;
import dev.caliber.lang.pack.PackSource;
import dev.caliber.lang.syntax.AstJson;
import dev.caliber.memory.deployment.ConfigStatus;
import dev.caliber.memory.deployment.DeployConfig;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Activated;
import dev.caliber.memory.deployment.SourceKind;
import dev.caliber.memory.deployment.Stamp;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.RecordKinds;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The configuration language, packs, and what a space runs on. */
final class DeploymentOperations {
  private static final String FILE = "source";

  private final Rooms rooms;
  private final Pages pages;
  private final Compiler compiler = Compiler.create(RecordKinds.catalogue());
  private final PackComposer composer = PackComposer.create(RecordKinds.catalogue());

  private DeploymentOperations(Rooms rooms, Pages pages) {
    this.rooms = rooms;
    this.pages = pages;
  }

  static List<Operation<?, ?>> of(Rooms rooms, ServerConfig.Limits limits) {
    DeploymentOperations here = new DeploymentOperations(rooms, Pages.of(rooms, limits));
    return List.of(
        Operation.reading(
                "validate_source",
                "All that is wrong with a source of the configuration language, or with a pack.",
                Source.class,
                here::validate)
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "parse_source",
                "The tree of a source.",
                Source.class,
                (_, input) -> here.parse(input))
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "compile_source",
                "The tree and the compiled configuration of a source.",
                Source.class,
                (_, input) -> here.compile(input))
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "compose_pack",
                "The tree, the source and the compiled configuration of a pack.",
                Pack.class,
                (_, input) -> here.compose(input.files()))
            .forAgents(Needs.NOTHING),
        Operation.lasting(
                "deploy",
                "Stores a source or pack as a version, and lets the space run on it.",
                Deploy.class,
                here::deploy)
            .needing(Right.ADMIN),
        Operation.reading(
                "list_deployments",
                "Versions that are stored, by name, the newest first.",
                ListDeployments.class,
                here::list)
            .forAgents(Needs.NOTHING),
        Operation.reading(
                "active_deployment",
                "What the space runs on; nothing if nothing was deployed.",
                SpaceOperations.All.class,
                (caller, _) -> here.active(caller))
            .forAgents(Needs.NOTHING),
        Operation.lasting(
                "activate",
                "Lets the space run on a stored version.",
                Activate.class,
                here::activate)
            .needing(Right.ADMIN),
        Operation.lasting(
                "rollback_deployment",
                "Lets the space run on an earlier version; without one, on the one before.",
                Rollback.class,
                here::rollback)
            .needing(Right.ADMIN));
  }

  /** A text of the language, or the files of a pack. */
  record Source(Optional<String> source, Optional<Map<String, Bytes>> files) {
    String text() {
      return source.orElseThrow(
          () -> ServerException.invalidInput("/source", "Wanted a source, found none"));
    }
  }

  /** Files by their path, in base64. */
  record Pack(Map<String, Bytes> files) {}

  /**
   * What became of a source or a pack.
   *
   * @param valid whether it could be deployed
   */
  record Checked(
      boolean valid,
      Optional<JsonNode> ast,
      Optional<CompiledConfig> compiled,
      Optional<String> dslSource,
      Optional<String> hash,
      List<Diagnostic> diagnostics) {
    static Checked rejected(List<Diagnostic> diagnostics) {
      return new Checked(
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          diagnostics);
    }

    Checked withoutResults() {
      return new Checked(
          valid,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          diagnostics);
    }

    Checked treeOnly() {
      return new Checked(
          valid, ast, Optional.empty(), Optional.empty(), Optional.empty(), diagnostics);
    }
  }

  private Checked validate(Caller caller, Source input) {
    return input.files().map(this::compose).orElseGet(() -> compile(input)).withoutResults();
  }

  private Checked parse(Source input) {
    return compile(input).treeOnly();
  }

  private Checked compile(Source input) {
    return switch (compiler.compile(FILE, input.text())) {
      case CompileResult.Rejected rejected -> Checked.rejected(rejected.diagnostics());
      case CompileResult.Compiled compiled ->
          new Checked(
              true,
              Optional.of(tree(AstJson.text(compiled.ast()))),
              Optional.of(compiled.config()),
              Optional.of(input.text()),
              Optional.empty(),
              compiled.warnings());
    };
  }

  private Checked compose(Map<String, Bytes> files) {
    return switch (composer.compose(source(files))) {
      case ComposeResult.Rejected rejected -> Checked.rejected(rejected.diagnostics());
      case ComposeResult.Composed pack ->
          new Checked(
              true,
              Optional.of(tree(pack.astJson())),
              Optional.of(pack.config()),
              Optional.of(pack.dslSource()),
              Optional.of(pack.hash()),
              pack.warnings());
    };
  }

  private static JsonNode tree(String json) {
    return Json.mapper().readTree(json);
  }

  private static PackSource source(Map<String, Bytes> files) {
    Map<String, byte[]> plain = new TreeMap<>();
    files.forEach((path, content) -> plain.put(path, content.toArray()));
    return PackSource.of(plain);
  }

  /** What to deploy: a source under a name, or a pack under its own. */
  record Deploy(
      Optional<String> name,
      Optional<String> source,
      Optional<Map<String, Bytes>> files,
      Optional<Boolean> activate,
      Optional<Map<String, String>> metadata) {
    Stamp stamp(Caller caller) {
      return Stamp.of(caller.actor(), metadata.orElse(Map.of()));
    }
  }

  /** A stored version, without its content. */
  record Version(
      String name,
      int version,
      SourceKind kind,
      String hash,
      boolean active,
      ConfigStatus status,
      Instant createdAt,
      String createdBy) {}

  /**
   * What was deployed.
   *
   * @param isNew false if the same content was there already
   * @param replaced what the space ran on before
   * @param changed whether the space runs on it only since now
   */
  record Deployed(Version version, boolean isNew, Optional<Version> replaced, boolean changed) {}

  private Deployed deploy(Caller caller, Deploy wish) {
    DeployConfig config = config(caller, wish);
    boolean activate = wish.activate().orElse(true);
    Deployed done =
        rooms
            .store()
            .write(
                caller.space(),
                transaction -> {
                  Deployments.Deployed stored = rooms.deployments().deploy(transaction, config);
                  if (!activate) {
                    boolean active =
                        rooms
                            .deployments()
                            .active(transaction)
                            .filter(now -> now.id().equals(stored.config().id()))
                            .isPresent();
                    return new Deployed(
                        version(stored.config(), active), stored.isNew(), Optional.empty(), false);
                  }
                  Activated activated =
                      rooms
                          .deployments()
                          .activate(
                              transaction,
                              new Deployments.Activate(
                                  config.name(), stored.config().version(), config.stamp()));
                  return done(activated, stored.isNew());
                });
    follow(caller);
    return done;
  }

  private DeployConfig config(Caller caller, Deploy wish) {
    if (wish.source().isPresent() == wish.files().isPresent()) {
      throw ServerException.invalidInput(
          "/source", "Wanted a source or files, found both or neither");
    }
    return wish.source().isPresent()
        ? sourceConfig(caller, wish, wish.source().get())
        : packConfig(caller, wish);
  }

  private DeployConfig sourceConfig(Caller caller, Deploy wish, String text) {
    String name =
        wish.name()
            .orElseThrow(() -> ServerException.invalidInput("/name", "Wanted a name, found none"));
    return switch (compiler.compile(name, text)) {
      case CompileResult.Rejected rejected -> throw rejected.error();
      case CompileResult.Compiled compiled ->
          new DeployConfig(
              name,
              text,
              AstJson.text(compiled.ast()),
              compiled.config(),
              Optional.empty(),
              wish.stamp(caller));
    };
  }

  private DeployConfig packConfig(Caller caller, Deploy wish) {
    PackSource source = source(wish.files().orElseThrow());
    return switch (composer.compose(source)) {
      case ComposeResult.Rejected rejected -> throw rejected.error();
      case ComposeResult.Composed pack ->
          PackDeployment.of(
              wish.name().orElse(pack.ir().meta().project()), pack, source, wish.stamp(caller));
    };
  }

  /** What was activated is in use when the answer is there. */
  private void follow(Caller caller) {
    long head = rooms.store().changes().head(caller.space()).sequence();
    rooms.active().current(caller.space(), head);
    FencedStore.freely(
        () -> {
          rooms.memory().arm(caller.space());
          return true;
        });
  }

  private static Version version(StoredConfig config, boolean active) {
    return new Version(
        config.name(),
        config.version(),
        config.kind(),
        config.hash(),
        active,
        config.status(),
        config.createdAt(),
        config.createdBy());
  }

  private static Deployed done(Activated activated, boolean isNew) {
    return new Deployed(
        version(activated.config(), true),
        isNew,
        activated.replaced().map(old -> version(old, false)),
        activated.changed());
  }

  /** Which versions. */
  record ListDeployments(Optional<String> name, Optional<Integer> limit, Optional<String> cursor) {}

  private Listed<Version> list(Caller caller, ListDeployments input) {
    Optional<StoredConfig> active = rooms.deployments().active(caller.space());
    Page<StoredConfig> page =
        rooms
            .deployments()
            .list(
                caller.space(),
                new Deployments.Listing(
                    input.name(), pages.size(input.limit()), input.cursor().map(PageCursor::new)));
    return new Listed<>(
        page.records().stream()
            .map(
                config ->
                    version(config, active.filter(now -> now.id().equals(config.id())).isPresent()))
            .toList(),
        page.next().map(PageCursor::text));
  }

  /** The version that a space runs on, with what it was compiled to. */
  record Active(
      Optional<Version> version, Optional<String> dslSource, Optional<CompiledConfig> compiled) {}

  private Active active(Caller caller) {
    Optional<StoredConfig> found = rooms.deployments().active(caller.space());
    return new Active(
        found.map(config -> version(config, true)),
        found.map(StoredConfig::dslSource),
        found.map(StoredConfig::config));
  }

  /** A version to run on. */
  record Activate(String name, int version, Optional<Map<String, String>> metadata) {}

  private Deployed activate(Caller caller, Activate wish) {
    Stamp stamp = Stamp.of(caller.actor(), wish.metadata().orElse(Map.of()));
    Activated activated =
        rooms
            .deployments()
            .activate(caller.space(), new Deployments.Activate(wish.name(), wish.version(), stamp));
    follow(caller);
    return done(activated, false);
  }

  /** Where to go back to. */
  record Rollback(Optional<Integer> version, Optional<Map<String, String>> metadata) {}

  private Deployed rollback(Caller caller, Rollback wish) {
    Stamp stamp = Stamp.of(caller.actor(), wish.metadata().orElse(Map.of()));
    Activated activated =
        rooms
            .deployments()
            .rollback(caller.space(), new Deployments.Rollback(wish.version(), stamp));
    follow(caller);
    return done(activated, false);
  }
}
