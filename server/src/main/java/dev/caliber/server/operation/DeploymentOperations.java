package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.lease.FencedStore;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.lang.CompileResult;
import dev.caliber.lang.Compiler;
import dev.caliber.lang.ast.AstJson;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.pack.ComposeResult;
import dev.caliber.lang.pack.PackComposer;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.ConfigDeployment;
import dev.caliber.memory.deployment.ConfigSourceKind;
import dev.caliber.memory.deployment.DeployedConfigStatus;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.ActivateResult;
import dev.caliber.memory.deployment.StoredConfig;
import dev.caliber.memory.record.Bytes;
import dev.caliber.memory.record.RecordKinds;
import dev.caliber.server.settings.ServerConfig.ServerLimits;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The operations on the configuration language, packs, and deployed versions. */
final class DeploymentOperations {
  private static final String FILE = "source";

  private final ServerModules modules;
  private final PageReader pageReader;
  private final Compiler compiler = Compiler.create(RecordKinds.catalogue());
  private final PackComposer composer = PackComposer.create(RecordKinds.catalogue());

  private DeploymentOperations(ServerModules modules, PageReader pageReader) {
    this.modules = modules;
    this.pageReader = pageReader;
  }

  static List<Operation<?, ?>> operations(ServerModules modules, ServerLimits limits) {
    DeploymentOperations here = new DeploymentOperations(modules, PageReader.of(modules, limits));
    return List.of(
        Operation.readOnly("validate_source", CompileRequest.class, here::validate)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly("parse_source", CompileRequest.class, (_, input) -> here.parse(input))
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "compile_source", CompileRequest.class, (_, input) -> here.compile(input))
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "compose_pack", ComposePackRequest.class, (_, input) -> here.compose(input.files()))
            .forAgents(RequiredPermissions.NOTHING),
        Operation.longRunning("deploy", DeployRequest.class, here::deploy),
        Operation.readOnly("list_deployments", ListDeploymentsRequest.class, here::list)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.readOnly(
                "get_active_deployment", NoInput.class, (caller, _) -> here.readActive(caller))
            .forAgents(RequiredPermissions.NOTHING),
        Operation.longRunning("activate_deployment", ActivateRequest.class, here::activate),
        Operation.longRunning("rollback_deployment", RollbackRequest.class, here::rollback));
  }

  /** A source text, or the files of a pack. */
  record CompileRequest(Optional<String> source, Optional<Map<String, Bytes>> files) {
    String sourceText() {
      return source.orElseThrow(
          () ->
              ServerException.invalidInput(
                  "/source", "'source' is missing: send the text of the configuration"));
    }
  }

  /** The files by path, in base64. */
  record ComposePackRequest(Map<String, Bytes> files) {}

  /**
   * The result of compiling a source or a pack.
   *
   * @param valid whether it could be deployed
   */
  record CompileResponse(
      boolean valid,
      Optional<JsonNode> ast,
      Optional<CompiledConfig> compiled,
      Optional<String> dslSource,
      Optional<String> hash,
      List<Diagnostic> diagnostics) {
    static CompileResponse rejected(List<Diagnostic> diagnostics) {
      return treeOnly(false, Optional.empty(), diagnostics);
    }

    CompileResponse withoutResults() {
      return treeOnly(valid, Optional.empty(), diagnostics);
    }

    CompileResponse treeOnly() {
      return treeOnly(valid, ast, diagnostics);
    }

    private static CompileResponse treeOnly(
        boolean valid, Optional<JsonNode> ast, List<Diagnostic> diagnostics) {
      return new CompileResponse(
          valid, ast, Optional.empty(), Optional.empty(), Optional.empty(), diagnostics);
    }
  }

  private CompileResponse validate(Caller caller, CompileRequest input) {
    return input.files().map(this::compose).orElseGet(() -> compile(input)).withoutResults();
  }

  private CompileResponse parse(CompileRequest input) {
    return compile(input).treeOnly();
  }

  private CompileResponse compile(CompileRequest input) {
    return switch (compiler.compile(FILE, input.sourceText())) {
      case CompileResult.CompileFailure compileFailure ->
          CompileResponse.rejected(compileFailure.diagnostics());
      case CompileResult.CompileSuccess compileSuccess ->
          new CompileResponse(
              true,
              Optional.of(parseTree(AstJson.text(compileSuccess.ast()))),
              Optional.of(compileSuccess.config()),
              Optional.of(input.sourceText()),
              Optional.empty(),
              compileSuccess.warnings());
    };
  }

  private CompileResponse compose(Map<String, Bytes> files) {
    return switch (composer.compose(packSource(files))) {
      case ComposeResult.ComposeFailure composeFailure ->
          CompileResponse.rejected(composeFailure.diagnostics());
      case ComposeResult.ComposeSuccess pack ->
          new CompileResponse(
              true,
              Optional.of(parseTree(pack.astJson())),
              Optional.of(pack.config()),
              Optional.of(pack.dslSource()),
              Optional.of(pack.hash()),
              pack.warnings());
    };
  }

  private static JsonNode parseTree(String json) {
    return Json.mapper().readTree(json);
  }

  private static PackSource packSource(Map<String, Bytes> files) {
    Map<String, byte[]> plain = new TreeMap<>();
    files.forEach((path, content) -> plain.put(path, content.toArray()));
    return PackSource.of(plain);
  }

  /** The request to deploy: a source with a name, or a pack, which has its own. */
  record DeployRequest(
      Optional<String> name,
      Optional<String> source,
      Optional<Map<String, Bytes>> files,
      Optional<Boolean> activate,
      Map<String, String> metadata) {
    AuditStamp deployStamp(Caller caller) {
      return AuditStamp.of(caller.actor(), metadata);
    }
  }

  /** A stored version, without its content. */
  record StoredVersionSummary(
      String name,
      int version,
      ConfigSourceKind kind,
      String hash,
      boolean active,
      DeployedConfigStatus status,
      Instant createdAt,
      String createdBy) {}

  /**
   * The result of a deployment.
   *
   * @param isNew false if the same content was stored already
   * @param replaced the version that was active before
   * @param changed whether this call activated the version
   */
  record DeployResponse(
      StoredVersionSummary version,
      boolean isNew,
      Optional<StoredVersionSummary> replaced,
      boolean changed) {}

  private DeployResponse deploy(Caller caller, DeployRequest request) {
    ConfigDeployment config = deployConfig(caller, request);
    boolean activate = request.activate().orElse(true);
    DeployResponse done =
        modules
            .store()
            .write(
                caller.space(),
                transaction -> {
                  Deployments.DeployResult stored =
                      modules.deployments().deploy(transaction, config);
                  if (!activate) {
                    boolean active =
                        modules
                            .deployments()
                            .activeVersion(transaction)
                            .filter(now -> now.id().equals(stored.config().id()))
                            .isPresent();
                    return new DeployResponse(
                        toVersionSummary(stored.config(), active),
                        stored.isNew(),
                        Optional.empty(),
                        false);
                  }
                  ActivateResult activateResult =
                      modules
                          .deployments()
                          .activate(
                              transaction,
                              new Deployments.ConfigActivation(
                                  config.name(), stored.config().version(), config.stamp()));
                  return toResponse(activateResult, stored.isNew());
                });
    refreshActiveConfig(caller);
    return done;
  }

  private ConfigDeployment deployConfig(Caller caller, DeployRequest request) {
    if (request.source().isPresent() == request.files().isPresent()) {
      throw ServerException.invalidInput("/source", "Send either 'source' or files, not both");
    }
    return request.source().isPresent()
        ? sourceConfig(caller, request, request.source().get())
        : packConfig(caller, request);
  }

  private ConfigDeployment sourceConfig(Caller caller, DeployRequest request, String text) {
    String name =
        request
            .name()
            .orElseThrow(
                () ->
                    ServerException.invalidInput(
                        "/name", "'name' is missing: send a name for the configuration"));
    return switch (compiler.compile(name, text)) {
      case CompileResult.CompileFailure compileFailure -> throw compileFailure.error();
      case CompileResult.CompileSuccess compileSuccess ->
          new ConfigDeployment(
              name,
              text,
              AstJson.text(compileSuccess.ast()),
              compileSuccess.config(),
              Optional.empty(),
              request.deployStamp(caller));
    };
  }

  private ConfigDeployment packConfig(Caller caller, DeployRequest request) {
    PackSource source = packSource(request.files().orElseThrow());
    return switch (composer.compose(source)) {
      case ComposeResult.ComposeFailure composeFailure -> throw composeFailure.error();
      case ComposeResult.ComposeSuccess pack ->
          PackDeploymentFactory.deployCommand(
              request.name().orElse(pack.ir().meta().project()),
              pack,
              source,
              request.deployStamp(caller));
    };
  }

  /**
   * Refreshes the cached configuration, so that an activation is in effect when its answer is sent.
   */
  private void refreshActiveConfig(Caller caller) {
    long head = modules.store().changes().head(caller.space()).sequence();
    modules.activeConfigs().activeConfig(caller.space(), head);
    FencedStore.withoutCommitCheck(() -> modules.memory().scheduleJobs(caller.space()));
  }

  private static StoredVersionSummary toVersionSummary(StoredConfig config, boolean active) {
    return new StoredVersionSummary(
        config.name(),
        config.version(),
        config.kind(),
        config.hash(),
        active,
        config.status(),
        config.createdAt(),
        config.createdBy());
  }

  private static DeployResponse toResponse(ActivateResult activateResult, boolean isNew) {
    return new DeployResponse(
        toVersionSummary(activateResult.config(), true),
        isNew,
        activateResult.replaced().map(old -> toVersionSummary(old, false)),
        activateResult.changed());
  }

  /** The filter of the version list. */
  record ListDeploymentsRequest(
      Optional<String> name, Optional<Integer> limit, Optional<String> cursor) {}

  private PageResponse<StoredVersionSummary> list(Caller caller, ListDeploymentsRequest input) {
    Optional<StoredConfig> active = modules.deployments().activeVersion(caller.space());
    Page<StoredConfig> page =
        modules
            .deployments()
            .list(
                caller.space(),
                new Deployments.ConfigListQuery(
                    input.name(),
                    pageReader.pageSize(input.limit()),
                    input.cursor().map(PageCursor::new)));
    return new PageResponse<>(
        page.records().stream()
            .map(
                config ->
                    toVersionSummary(
                        config, active.filter(now -> now.id().equals(config.id())).isPresent()))
            .toList(),
        page.next().map(PageCursor::text));
  }

  /** The active version of a space, with its compiled configuration. */
  record ActiveDeployment(
      Optional<StoredVersionSummary> version,
      Optional<String> dslSource,
      Optional<CompiledConfig> compiled) {}

  private ActiveDeployment readActive(Caller caller) {
    Optional<StoredConfig> found = modules.deployments().activeVersion(caller.space());
    return new ActiveDeployment(
        found.map(config -> toVersionSummary(config, true)),
        found.map(StoredConfig::dslSource),
        found.map(StoredConfig::config));
  }

  /** The version to activate. */
  record ActivateRequest(String name, int version, Map<String, String> metadata) {}

  private DeployResponse activate(Caller caller, ActivateRequest request) {
    AuditStamp auditStamp = AuditStamp.of(caller.actor(), request.metadata());
    ActivateResult activateResult =
        modules
            .deployments()
            .activate(
                caller.space(),
                new Deployments.ConfigActivation(request.name(), request.version(), auditStamp));
    refreshActiveConfig(caller);
    return toResponse(activateResult, false);
  }

  /** The version to roll back to. */
  record RollbackRequest(Optional<Integer> version, Map<String, String> metadata) {}

  private DeployResponse rollback(Caller caller, RollbackRequest request) {
    AuditStamp auditStamp = AuditStamp.of(caller.actor(), request.metadata());
    ActivateResult activateResult =
        modules
            .deployments()
            .rollback(
                caller.space(), new Deployments.ConfigRollback(request.version(), auditStamp));
    refreshActiveConfig(caller);
    return toResponse(activateResult, false);
  }
}
