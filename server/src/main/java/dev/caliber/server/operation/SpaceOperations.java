package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import java.util.List;

/** The operations on the spaces of a store. */
final class SpaceOperations {
  private final ServerModules modules;

  private SpaceOperations(ServerModules modules) {
    this.modules = modules;
  }

  static List<Operation<?, ?>> operations(ServerModules modules) {
    SpaceOperations here = new SpaceOperations(modules);
    return List.of(
        Operation.readOnly("list_spaces", NoInput.class, here::listSpaces)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.longRunning("create_space", CreateSpaceRequest.class, here::createSpace));
  }

  /** A space and its last commit. */
  record SpaceStatus(SpaceId space, long epoch, long sequence) {}

  private PageResponse<SpaceStatus> listSpaces(Caller caller, NoInput none) {
    return PageResponse.ofAll(
        modules.store().spaces().stream()
            .filter(caller::canEnter)
            .filter(space -> !space.equals(SpaceId.SERVER))
            .map(this::spaceStatus)
            .toList());
  }

  private SpaceStatus spaceStatus(SpaceId space) {
    FeedCursor head = modules.store().changes().head(space);
    return new SpaceStatus(space, head.epoch(), head.sequence());
  }

  record CreateSpaceRequest(SpaceId space) {}

  private SpaceStatus createSpace(Caller caller, CreateSpaceRequest request) {
    if (request.space().equals(SpaceId.SERVER)) {
      throw ServerException.reservedSpace(request.space());
    }
    if (!caller.canEnter(request.space())) {
      throw ServerException.spaceDenied(request.space());
    }
    modules.store().createSpace(request.space());
    modules.memory().scheduleJobs(request.space());
    return spaceStatus(request.space());
  }
}
