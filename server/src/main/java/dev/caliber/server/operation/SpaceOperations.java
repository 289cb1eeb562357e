package dev.caliber.server.operation;

import dev.caliber.agents.RequiredPermissions;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import java.util.List;

/** The operations on the spaces of a store. */
final class SpaceOperations {
  private final ServerModules serverModules;

  private SpaceOperations(ServerModules serverModules) {
    this.serverModules = serverModules;
  }

  static List<Operation<?, ?>> operations(ServerModules serverModules) {
    SpaceOperations here = new SpaceOperations(serverModules);
    return List.of(
        Operation.readOnly("list_spaces", NoInput.class, here::listSpaces)
            .forAgents(RequiredPermissions.NOTHING),
        Operation.longRunning("create_space", CreateSpaceRequest.class, here::createSpace));
  }

  /** A space and its last commit. */
  record SpaceStatus(SpaceId space, long epoch, long sequence) {}

  private PageResponse<SpaceStatus> listSpaces(Caller caller, NoInput none) {
    return PageResponse.ofAll(
        serverModules.store().spaces().stream()
            .filter(caller::canEnter)
            .filter(space -> !space.equals(SpaceId.SERVER))
            .map(this::spaceStatus)
            .toList());
  }

  private SpaceStatus spaceStatus(SpaceId space) {
    FeedCursor head = serverModules.store().changes().head(space);
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
    serverModules.store().createSpace(request.space());
    serverModules.memory().scheduleJobs(request.space());
    return spaceStatus(request.space());
  }
}
