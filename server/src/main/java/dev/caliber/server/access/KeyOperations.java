package dev.caliber.server.access;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.Right;
import dev.caliber.server.operation.ServerException;
import java.util.List;
import java.util.Optional;

/**
 * Making, listing and revoking keys. Whoever is kept to some spaces sees and makes keys of those.
 */
public final class KeyOperations {
  private final Keys keys;

  private KeyOperations(Keys keys) {
    this.keys = keys;
  }

  public static List<Operation<?, ?>> of(Keys keys) {
    KeyOperations here = new KeyOperations(keys);
    return List.of(
        Operation.lasting(
                "create_key",
                "Makes an API key; its secret is in the answer and nowhere else.",
                Create.class,
                here::create)
            .needing(Right.ADMIN)
            .confidential(),
        Operation.reading("list_keys", "The API keys, newest first.", All.class, here::list)
            .needing(Right.ADMIN),
        Operation.lasting(
                "revoke_key",
                "Lets nobody in with this key from now on.",
                Revoke.class,
                here::revoke)
            .needing(Right.ADMIN));
  }

  /** A key to be made; without spaces it is for all of them, without ttl for ever. */
  record Create(
      String name,
      Right right,
      Optional<List<SpaceId>> spaces,
      Optional<String> ttl,
      Optional<String> agent,
      Optional<String> subject) {}

  private Keys.Created create(Caller caller, Create wish) {
    List<SpaceId> spaces = wish.spaces().orElse(List.of());
    requireWithin(caller, spaces);
    Keys.NewKey key =
        new Keys.NewKey(
            wish.name(),
            wish.right(),
            spaces,
            wish.ttl().map(text -> Durations.parse("ttl", text)),
            wish.agent(),
            wish.subject());
    key.home()
        .filter(home -> !caller.mayEnter(home))
        .ifPresent(
            home -> {
              throw ServerException.spaceDenied(home);
            });
    return keys.create(key);
  }

  private static void requireWithin(Caller caller, List<SpaceId> spaces) {
    if (!isWithin(caller, spaces)) {
      throw ServerException.spaceDenied(
          spaces.stream()
              .filter(space -> !caller.mayEnter(space))
              .findFirst()
              .orElse(caller.space()));
    }
  }

  private static boolean isWithin(Caller caller, List<SpaceId> spaces) {
    return caller.spaces().isEmpty() || (!spaces.isEmpty() && caller.spaces().containsAll(spaces));
  }

  /** Nothing in particular. */
  record All() {}

  /** All of them. */
  record Listing(List<KeyInfo> items) {}

  private Listing list(Caller caller, All all) {
    return new Listing(keys.list().stream().filter(key -> isWithin(caller, key.spaces())).toList());
  }

  /** A key to be revoked. */
  record Revoke(Id id) {}

  private KeyInfo revoke(Caller caller, Revoke wish) {
    KeyInfo found =
        keys.info(wish.id())
            .filter(key -> isWithin(caller, key.spaces()))
            .orElseThrow(() -> ServerException.unknownKey(wish.id().toString()));
    return keys.revoke(found.id());
  }
}
