package dev.caliber.server.access;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.ServerException;
import java.util.List;
import java.util.Optional;

/** The operations on keys; a caller limited to some spaces sees and creates only theirs. */
public final class KeyOperations {
  private final ApiKeys apiKeys;

  private KeyOperations(ApiKeys apiKeys) {
    this.apiKeys = apiKeys;
  }

  public static List<Operation<?, ?>> operations(ApiKeys apiKeys) {
    KeyOperations here = new KeyOperations(apiKeys);
    return List.of(
        Operation.longRunning(
                "create_key",
                "Creates an API key and returns its secret, which is shown only once.",
                CreateKeyRequest.class,
                here::createKey)
            .withRight(AccessRight.ADMIN)
            .asConfidential(),
        Operation.readOnly(
                "list_keys",
                "Lists the API keys, newest first.",
                ListKeysRequest.class,
                here::listKeys)
            .withRight(AccessRight.ADMIN),
        Operation.longRunning(
                "revoke_key", "Revokes an API key.", RevokeKeyRequest.class, here::revokeKey)
            .withRight(AccessRight.ADMIN));
  }

  /**
   * The request for a key; without spaces it is for all of them, without a ttl it does not expire.
   */
  record CreateKeyRequest(
      String name,
      AccessRight right,
      Optional<List<SpaceId>> spaces,
      Optional<String> ttl,
      Optional<String> agent,
      Optional<String> subject) {}

  private ApiKeys.CreatedApiKey createKey(Caller caller, CreateKeyRequest request) {
    List<SpaceId> spaces = request.spaces().orElse(List.of());
    requireOwnSpaces(caller, spaces);
    ApiKeys.NewApiKey key =
        new ApiKeys.NewApiKey(
            request.name(),
            request.right(),
            spaces,
            request.ttl().map(text -> Durations.parse("ttl", text)),
            request.agent(),
            request.subject());
    key.homeSpace()
        .filter(home -> !caller.canEnter(home))
        .ifPresent(
            home -> {
              throw ServerException.spaceDenied(home);
            });
    return apiKeys.createKey(key);
  }

  private static void requireOwnSpaces(Caller caller, List<SpaceId> spaces) {
    if (!isWithinOwnSpaces(caller, spaces)) {
      throw ServerException.spaceDenied(
          spaces.stream()
              .filter(space -> !caller.canEnter(space))
              .findFirst()
              .orElse(caller.space()));
    }
  }

  private static boolean isWithinOwnSpaces(Caller caller, List<SpaceId> spaces) {
    return caller.spaces().isEmpty() || (!spaces.isEmpty() && caller.spaces().containsAll(spaces));
  }

  record ListKeysRequest() {}

  record ListKeysResponse(List<ApiKeyInfo> items) {}

  private ListKeysResponse listKeys(Caller caller, ListKeysRequest listKeysRequest) {
    return new ListKeysResponse(
        apiKeys.listKeys().stream()
            .filter(key -> isWithinOwnSpaces(caller, key.spaces()))
            .toList());
  }

  record RevokeKeyRequest(Id id) {}

  private ApiKeyInfo revokeKey(Caller caller, RevokeKeyRequest request) {
    ApiKeyInfo found =
        apiKeys
            .findInfo(request.id())
            .filter(key -> isWithinOwnSpaces(caller, key.spaces()))
            .orElseThrow(() -> ServerException.unknownKey(request.id().toString()));
    return apiKeys.revokeKey(found.id());
  }
}
