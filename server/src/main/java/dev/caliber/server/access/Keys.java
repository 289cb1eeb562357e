package dev.caliber.server.access;

import dev.caliber.agents.ActingAgent;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.server.operation.Right;
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
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The keys of a store. They lie in a space of their own, which no request can name; of the secret
 * there is only its hash.
 */
public final class Keys {
  private static final SpaceId SPACE = SpaceId.SERVER;
  private static final String PREFIX = "cal";
  private static final String SEPARATOR = "_";
  private static final int PARTS = 3;
  private static final int SECRET_BYTES = 32;
  private static final int PAGE_BOUND = 1000;
  private static final int NAME_BOUND = 100;

  private final RecordStore store;
  private final Clock clock;
  private final Chance chance;
  private volatile boolean there;

  private Keys(RecordStore store, Clock clock, Chance chance) {
    this.store = store;
    this.clock = clock;
    this.chance = chance;
  }

  /** Over a store that was opened with {@link #tables}. */
  public static Keys of(RecordStore store, Clock clock, Chance chance) {
    return new Keys(store, clock, chance);
  }

  public static List<Table<?>> tables() {
    return List.of(ApiKey.TABLE);
  }

  /**
   * A key to be made; without spaces it is for all of them.
   *
   * @param agent as whom its user always acts, as {@link ActingAgent#parse} reads it; a key is for
   *     one agent, so that a name alone is for a key of one space
   * @param subject the one subject whose records its user sees, beside those without a subject
   */
  public record NewKey(
      String name,
      Right right,
      List<SpaceId> spaces,
      Optional<Duration> life,
      Optional<String> agent,
      Optional<String> subject) {
    public NewKey {
      if (subject.isPresent()) {
        SubjectScope.of(subject); // refuses a blank one
        if (right == Right.ADMIN) {
          throw KernelException.invalidValue(
              "right of a key with a subject", "read or write", "admin");
        }
      }
      if (name.isBlank() || name.length() > NAME_BOUND) {
        throw KernelException.invalidValue("name of a key", "1 to 100 characters", name);
      }
      spaces = List.copyOf(spaces);
      if (agent.isPresent()) {
        requireOne(agent.get(), home(agent.get(), spaces), spaces);
      }
    }

    private static SpaceId home(String agent, List<SpaceId> spaces) {
      return ActingAgent.parse(agent, spaces.size() == 1 ? spaces.getFirst() : SPACE).home();
    }

    private static void requireOne(String agent, SpaceId home, List<SpaceId> spaces) {
      if (spaces.size() != 1 && !agent.startsWith(home + "/")) {
        throw KernelException.invalidValue(
            "agent of a key that is not for one space", "SPACE/NAME", agent);
      }
      if (home.equals(SPACE)) {
        throw ServerException.reserved(home);
      }
    }

    /** Where its agent is registered. */
    Optional<SpaceId> home() {
      return agent.map(text -> home(text, spaces));
    }
  }

  /** A new key with its secret, which nobody can read again. */
  public record Created(KeyInfo key, String secret) {}

  public Created create(NewKey wish) {
    return create(wish, Optional.empty());
  }

  /**
   * A key for a browser, which ends with its time or with the key that it stands for. A login makes
   * no other one, which would outlive that key. With more than {@code most}, the oldest end.
   */
  public Created logIn(String secret, Duration life, int most) {
    ApiKey key = live(secret, Optional::isEmpty).orElseThrow(ServerException::keyRefused);
    Created made =
        create(
            new NewKey(
                key.name(),
                key.right(),
                key.spaces(),
                Optional.of(life),
                key.agent(),
                key.subject()),
            Optional.of(key.id()));
    store.write(SPACE, transaction -> endOldest(transaction, key.id(), most));
    return made;
  }

  private static int endOldest(Transaction transaction, Id key, int most) {
    Query<ApiKey> logins =
        Query.over(ApiKey.TABLE, "login", "created_at").equal(key.toString()).descending();
    Page<ApiKey> newest = transaction.scan(logins, most);
    List<ApiKey> others =
        newest
            .next()
            .map(place -> transaction.scan(logins.resume(place), PAGE_BOUND).records())
            .orElse(List.of());
    others.forEach(old -> transaction.delete(ApiKey.TABLE, old.id()));
    return others.size();
  }

  /** Ends a login; anything else is left alone. */
  public void logOut(String secret) {
    live(secret, Optional::isPresent).ifPresent(key -> remove(key.id()));
  }

  /** A login that has ended takes no place of those that live. */
  private void remove(Id login) {
    store.write(
        SPACE,
        transaction -> {
          transaction.delete(ApiKey.TABLE, login);
          return login;
        });
  }

  private Created create(NewKey wish, Optional<Id> login) {
    store.createSpace(SPACE);
    byte[] random = new byte[SECRET_BYTES];
    chance.nextBytes(random);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    ApiKey made =
        store.write(
            SPACE,
            transaction -> {
              ApiKey key =
                  new ApiKey(
                      transaction.newId(),
                      wish.name(),
                      wish.right(),
                      wish.spaces(),
                      hash(secret),
                      transaction.now(),
                      wish.life().map(transaction.now()::plus),
                      Optional.empty(),
                      login,
                      wish.agent(),
                      wish.subject());
              tidy(transaction);
              transaction.insert(ApiKey.TABLE, key);
              return key;
            });
    return new Created(
        KeyInfo.of(made), String.join(SEPARATOR, PREFIX, made.id().toString(), secret));
  }

  /** Newest first; logins are not among them. */
  public List<KeyInfo> list() {
    return all().stream().filter(key -> key.login().isEmpty()).map(KeyInfo::of).toList();
  }

  /** Whether anybody could show a key. */
  public boolean isEmpty() {
    Instant now = clock.instant();
    return all().stream().noneMatch(key -> key.login().isEmpty() && key.isLive(now));
  }

  private List<ApiKey> all() {
    if (!isThere()) {
      return List.of();
    }
    return store.read(SPACE, Keys::all);
  }

  private static List<ApiKey> all(Snapshot snapshot) {
    Query<ApiKey> query = Query.over(ApiKey.TABLE).descending();
    Page<ApiKey> page = snapshot.scan(query, PAGE_BOUND);
    List<ApiKey> keys = new ArrayList<>(page.records());
    while (page.next().isPresent()) {
      page = snapshot.scan(query.resume(page.next().get()), PAGE_BOUND);
      keys.addAll(page.records());
    }
    return keys;
  }

  /** Logins whose time is over. */
  private static void tidy(Transaction transaction) {
    transaction
        .scan(Query.over(ApiKey.TABLE, "expires_at").until(transaction.now()), PAGE_BOUND)
        .records()
        .stream()
        .filter(key -> key.login().isPresent())
        .forEach(key -> transaction.delete(ApiKey.TABLE, key.id()));
  }

  /** From now on nobody gets in with it, nor with logins that were made of it. */
  public KeyInfo revoke(Id id) {
    if (!isThere()) {
      throw ServerException.unknownKey(id.toString());
    }
    return KeyInfo.of(
        store.write(
            SPACE,
            transaction -> {
              ApiKey key =
                  transaction
                      .find(ApiKey.TABLE, id)
                      .orElseThrow(() -> ServerException.unknownKey(id.toString()));
              ApiKey revoked = key.revoked(transaction.now());
              transaction.put(ApiKey.TABLE, revoked);
              return revoked;
            }));
  }

  /** What is known of a key; a login is none. */
  public Optional<KeyInfo> info(Id id) {
    return isThere()
        ? find(id).filter(key -> key.login().isEmpty()).map(KeyInfo::of)
        : Optional.empty();
  }

  /** Who it is that shows this key. The secret of a login is none: it is for its cookie alone. */
  public Principal authenticate(String secret) {
    return principal(secret, Optional::isEmpty);
  }

  /** Who has logged in with what is in this cookie. */
  public Principal loggedIn(String secret) {
    return principal(secret, Optional::isPresent);
  }

  private Principal principal(String secret, Predicate<Optional<Id>> kind) {
    ApiKey key = live(secret, kind).orElseThrow(ServerException::keyRefused);
    return new Principal(
        key.login().orElse(key.id()).toString(),
        key.name(),
        key.right(),
        key.spaces(),
        key.agent(),
        key.subject());
  }

  /** Once there, it stays. */
  private boolean isThere() {
    if (!there) {
      there = store.spaces().contains(SPACE);
    }
    return there;
  }

  private Optional<ApiKey> live(String text, Predicate<Optional<Id>> kind) {
    String[] parts = text.split(SEPARATOR, PARTS);
    if (parts.length != PARTS || !parts[0].equals(PREFIX) || !isThere()) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    return id(parts[1])
        .flatMap(this::find)
        .filter(key -> isSame(key.hash(), hash(parts[2])))
        .filter(key -> kind.test(key.login()) && key.isLive(now))
        .filter(
            key ->
                key.login().isEmpty()
                    || find(key.login().get()).filter(first -> first.isLive(now)).isPresent());
  }

  private Optional<ApiKey> find(Id id) {
    return store.read(SPACE, snapshot -> snapshot.find(ApiKey.TABLE, id));
  }

  private static Optional<Id> id(String text) {
    try {
      return Optional.of(Id.parse(text));
    } catch (KernelException _) {
      return Optional.empty();
    }
  }

  private static String hash(String secret) {
    return Hashing.hash("api-key", secret);
  }

  /** In a time that does not depend on where they differ. */
  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
