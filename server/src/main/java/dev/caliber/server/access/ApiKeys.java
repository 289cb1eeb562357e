package dev.caliber.server.access;

import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The API keys of a store, in a reserved space that no request can name, with hashed secrets. */
public final class ApiKeys {
  private static final SpaceId SPACE = SpaceId.SERVER;
  private static final String PREFIX = "cal";
  private static final String SEPARATOR = "_";
  private static final int PARTS = 3;
  private static final int SECRET_BYTES = 32;
  private static final int PAGE_BOUND = 1000;
  private static final int NAME_BOUND = 100;

  private final RecordStore store;
  private final Clock clock;
  private final RandomSource randomSource;
  private volatile boolean there;

  private ApiKeys(RecordStore store, Clock clock, RandomSource randomSource) {
    this.store = store;
    this.clock = clock;
    this.randomSource = randomSource;
  }

  /** Uses a store that was opened with {@link #tables}. */
  public static ApiKeys of(RecordStore store, Clock clock, RandomSource randomSource) {
    return new ApiKeys(store, clock, randomSource);
  }

  public static List<Table<?>> tables() {
    return List.of(StoredApiKey.TABLE);
  }

  /**
   * The request for a key; without spaces it is for all of them.
   *
   * @param agent the agent as which its user always acts, as {@link ActingAgent#parse} reads it; a
   *     key is for one agent, so that a name without a space needs a key for one space
   * @param subject the one subject whose records its user sees, beside those without a subject
   */
  public record NewApiKey(
      String name,
      AccessRight right,
      List<SpaceId> spaces,
      Optional<Duration> ttl,
      Optional<String> agent,
      Optional<String> subject) {
    public NewApiKey {
      if (subject.isPresent()) {
        ReadableSubjects.of(subject); // refuses a blank one
        if (right == AccessRight.ADMIN) {
          throw KernelException.invalidValue(
              "right of a key with a subject", "read or write", "admin");
        }
      }
      if (name.isBlank() || name.length() > NAME_BOUND) {
        throw KernelException.invalidValue("name of a key", "1 to 100 characters", name);
      }
      spaces = List.copyOf(spaces);
      if (agent.isPresent()) {
        requireSingleSpace(agent.get(), homeSpace(agent.get(), spaces), spaces);
      }
    }

    private static SpaceId homeSpace(String agent, List<SpaceId> spaces) {
      return ActingAgent.parse(agent, spaces.size() == 1 ? spaces.getFirst() : SPACE).home();
    }

    private static void requireSingleSpace(String agent, SpaceId home, List<SpaceId> spaces) {
      if (spaces.size() != 1 && !agent.startsWith(home + "/")) {
        throw KernelException.invalidValue(
            "agent of a key for several spaces", "SPACE/NAME", agent);
      }
      if (home.equals(SPACE)) {
        throw ServerException.reservedSpace(home);
      }
    }

    /** The space in which the agent is registered. */
    Optional<SpaceId> homeSpace() {
      return agent.map(text -> homeSpace(text, spaces));
    }
  }

  /** A new key with its secret, which cannot be read again. */
  public record CreatedApiKey(ApiKeyInfo key, String secret) {}

  public CreatedApiKey createKey(NewApiKey request) {
    return createKey(request, Optional.empty());
  }

  /**
   * Creates a login key for a browser. It ends with its time or with the key that it was made of,
   * and cannot create another login, which would outlive that key. Beyond {@code most} logins, the
   * oldest ones end.
   */
  public CreatedApiKey createLogin(String secret, Duration life, int most) {
    StoredApiKey key =
        findLiveKey(secret, Optional::isEmpty).orElseThrow(ServerException::keyRefused);
    CreatedApiKey made =
        createKey(
            new NewApiKey(
                key.name(),
                key.right(),
                key.spaces(),
                Optional.of(life),
                key.agent(),
                key.subject()),
            Optional.of(key.id()));
    store.write(SPACE, transaction -> endOldestLogins(transaction, key.id(), most));
    return made;
  }

  private static int endOldestLogins(Transaction transaction, Id key, int most) {
    Query<StoredApiKey> logins =
        Query.over(StoredApiKey.TABLE, "login", "created_at").equal(key.toString()).descending();
    Page<StoredApiKey> newest = transaction.scan(logins, most);
    List<StoredApiKey> others =
        newest
            .next()
            .map(place -> transaction.scan(logins.resume(place), PAGE_BOUND).records())
            .orElse(List.of());
    others.forEach(old -> transaction.delete(StoredApiKey.TABLE, old.id()));
    return others.size();
  }

  /** Ends a login; any other secret is ignored. */
  public void endLogin(String secret) {
    findLiveKey(secret, Optional::isPresent).ifPresent(key -> removeLogin(key.id()));
  }

  /** Removes an ended login, so that it does not count towards the limit. */
  private void removeLogin(Id login) {
    store.write(
        SPACE,
        transaction -> {
          transaction.delete(StoredApiKey.TABLE, login);
          return login;
        });
  }

  private CreatedApiKey createKey(NewApiKey request, Optional<Id> login) {
    store.createSpace(SPACE);
    byte[] random = new byte[SECRET_BYTES];
    randomSource.nextBytes(random);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    StoredApiKey made =
        store.write(
            SPACE,
            transaction -> {
              StoredApiKey key =
                  new StoredApiKey(
                      transaction.newId(),
                      request.name(),
                      request.right(),
                      request.spaces(),
                      hash(secret),
                      transaction.now(),
                      request.ttl().map(transaction.now()::plus),
                      Optional.empty(),
                      login,
                      request.agent(),
                      request.subject());
              removeExpiredLogins(transaction);
              transaction.insert(StoredApiKey.TABLE, key);
              return key;
            });
    return new CreatedApiKey(
        ApiKeyInfo.of(made), String.join(SEPARATOR, PREFIX, made.id().toString(), secret));
  }

  /** Returns the keys, newest first, without logins. */
  public List<ApiKeyInfo> listKeys() {
    return allKeys().stream().filter(key -> key.login().isEmpty()).map(ApiKeyInfo::of).toList();
  }

  /** Returns whether there is no key at all. */
  public boolean isEmpty() {
    Instant now = clock.instant();
    return allKeys().stream().noneMatch(key -> key.login().isEmpty() && key.isLive(now));
  }

  private List<StoredApiKey> allKeys() {
    if (!isKeySpaceCreated()) {
      return List.of();
    }
    return store.read(SPACE, ApiKeys::allKeys);
  }

  private static List<StoredApiKey> allKeys(Snapshot snapshot) {
    return snapshot.list(Query.over(StoredApiKey.TABLE).descending());
  }

  /** Removes expired logins. */
  private static void removeExpiredLogins(Transaction transaction) {
    transaction
        .scan(Query.over(StoredApiKey.TABLE, "expires_at").until(transaction.now()), PAGE_BOUND)
        .records()
        .stream()
        .filter(key -> key.login().isPresent())
        .forEach(key -> transaction.delete(StoredApiKey.TABLE, key.id()));
  }

  /** Revokes a key and the logins made of it. */
  public ApiKeyInfo revokeKey(Id id) {
    if (!isKeySpaceCreated()) {
      throw ServerException.unknownKey(id.toString());
    }
    return ApiKeyInfo.of(
        store.write(
            SPACE,
            transaction -> {
              StoredApiKey key =
                  transaction
                      .find(StoredApiKey.TABLE, id)
                      .orElseThrow(() -> ServerException.unknownKey(id.toString()));
              StoredApiKey revoked = key.withRevocation(transaction.now());
              transaction.put(StoredApiKey.TABLE, revoked);
              return revoked;
            }));
  }

  /** Returns the public data of a key, or nothing for a login. */
  public Optional<ApiKeyInfo> findInfo(Id id) {
    return isKeySpaceCreated()
        ? findKey(id).filter(key -> key.login().isEmpty()).map(ApiKeyInfo::of)
        : Optional.empty();
  }

  /** Returns the principal of this secret; refuses that of a login, which is for cookies only. */
  public Principal authenticate(String secret) {
    return requirePrincipal(secret, Optional::isEmpty);
  }

  /** Returns the principal of the login in this cookie. */
  public Principal authenticateLogin(String secret) {
    return requirePrincipal(secret, Optional::isPresent);
  }

  private Principal requirePrincipal(String secret, Predicate<Optional<Id>> kind) {
    StoredApiKey key = findLiveKey(secret, kind).orElseThrow(ServerException::keyRefused);
    return new Principal(
        key.login().orElse(key.id()).toString(),
        key.name(),
        key.right(),
        key.spaces(),
        key.agent(),
        key.subject());
  }

  /** Returns whether the key space exists; once true, it stays true. */
  private boolean isKeySpaceCreated() {
    if (!there) {
      there = store.spaces().contains(SPACE);
    }
    return there;
  }

  private Optional<StoredApiKey> findLiveKey(String text, Predicate<Optional<Id>> kind) {
    String[] parts = text.split(SEPARATOR, PARTS);
    if (parts.length != PARTS || !parts[0].equals(PREFIX) || !isKeySpaceCreated()) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    return parseId(parts[1])
        .flatMap(this::findKey)
        .filter(key -> isSame(key.hash(), hash(parts[2])))
        .filter(key -> kind.test(key.login()) && key.isLive(now))
        .filter(
            key ->
                key.login().isEmpty()
                    || findKey(key.login().get()).filter(first -> first.isLive(now)).isPresent());
  }

  private Optional<StoredApiKey> findKey(Id id) {
    return store.read(SPACE, snapshot -> snapshot.find(StoredApiKey.TABLE, id));
  }

  private static Optional<Id> parseId(String text) {
    try {
      return Optional.of(Id.parse(text));
    } catch (KernelException _) {
      return Optional.empty();
    }
  }

  private static String hash(String secret) {
    return FieldHash.hash("api-key", secret);
  }

  /** Compares in constant time. */
  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
