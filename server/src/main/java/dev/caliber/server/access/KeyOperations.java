package dev.caliber.server.access;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.NoInput;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.PageResponse;
import dev.caliber.server.operation.ServerException;
import java.util.List;

/** The operations on keys; a caller limited to some spaces sees and creates only theirs. */
public final class KeyOperations {
  private final ApiKeys apiKeys;

  private KeyOperations(ApiKeys apiKeys) {
    this.apiKeys = apiKeys;
  }

  public static List<Operation<?, ?>> operations(ApiKeys apiKeys) {
    KeyOperations here = new KeyOperations(apiKeys);
    return List.of(
        Operation.longRunning("create_key", ApiKeys.NewApiKey.class, here::createKey)
            .asConfidential(),
        Operation.readOnly("list_keys", NoInput.class, here::listKeys),
        Operation.longRunning("revoke_key", RevokeKeyRequest.class, here::revokeKey));
  }

  private ApiKeys.CreatedApiKey createKey(Caller caller, ApiKeys.NewApiKey key) {
    requireOwnSpaces(caller, key.spaces());
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

  private PageResponse<ApiKeyInfo> listKeys(Caller caller, NoInput none) {
    return PageResponse.ofAll(
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
