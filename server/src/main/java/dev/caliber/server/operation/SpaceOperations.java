package dev.caliber.server.operation;

import dev.caliber.agents.Needs;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import java.util.List;

/** The spaces of a store. */
final class SpaceOperations {
  private final Rooms rooms;

  private SpaceOperations(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Operation<?, ?>> of(Rooms rooms) {
    SpaceOperations here = new SpaceOperations(rooms);
    return List.of(
        Operation.reading(
                "list_spaces",
                "The spaces that the caller may enter, and how far each has come.",
                All.class,
                here::list)
            .forAgents(Needs.NOTHING),
        Operation.lasting(
                "create_space", "Makes a space, if it is not there.", Create.class, here::create)
            .needing(Right.ADMIN));
  }

  /** Nothing in particular. */
  record All() {}

  /** A space and its last commit. */
  record Standing(SpaceId space, long epoch, long sequence) {}

  private Listed<Standing> list(Caller caller, All all) {
    return Listed.whole(
        rooms.store().spaces().stream()
            .filter(caller::mayEnter)
            .filter(space -> !space.equals(SpaceId.SERVER))
            .map(this::standing)
            .toList());
  }

  private Standing standing(SpaceId space) {
    FeedCursor head = rooms.store().changes().head(space);
    return new Standing(space, head.epoch(), head.sequence());
  }

  /** A space to be made. */
  record Create(SpaceId space) {}

  private Standing create(Caller caller, Create wish) {
    if (wish.space().equals(SpaceId.SERVER)) {
      throw ServerException.reserved(wish.space());
    }
    if (!caller.mayEnter(wish.space())) {
      throw ServerException.spaceDenied(wish.space());
    }
    rooms.store().createSpace(wish.space());
    rooms.memory().arm(wish.space());
    return standing(wish.space());
  }
}
