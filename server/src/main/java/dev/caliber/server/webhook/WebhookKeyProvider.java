package dev.caliber.server.webhook;

import dev.caliber.kernel.PrivateFiles;
import dev.caliber.kernel.RandomSource;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A provider of the key that encrypts webhook secrets. The key is never in the store, so that no
 * backup, export or copy of the store contains a usable secret.
 */
public final class WebhookKeyProvider {
  /** The file beside an embedded store; it is written once, and readable by its owner only. */
  static final String FILE = "webhook.key";

  private static final String ALGORITHM = "AES";
  private static final int KEY_BYTES = 32;

  private final Optional<String> given;
  private final String variable;
  private final Optional<Path> file;
  private final Optional<SecretKey> passing;
  private final RandomSource randomSource;

  private WebhookKeyProvider(
      Optional<String> given,
      String variable,
      Optional<Path> file,
      Optional<SecretKey> passing,
      RandomSource randomSource) {
    this.given = given;
    this.variable = variable;
    this.file = file;
    this.passing = passing;
    this.randomSource = randomSource;
  }

  /**
   * Creates the provider of this process: the key comes from the environment, else from the file
   * beside an embedded store. A store in memory has a key that ends with it; processes on
   * PostgreSQL need the variable.
   */
  public static WebhookKeyProvider of(
      String variable,
      Map<String, String> environment,
      StoreConfig.EngineSettings engine,
      RandomSource randomSource) {
    Optional<String> given =
        Optional.ofNullable(environment.get(variable)).filter(text -> !text.isBlank());
    Optional<Path> file =
        engine instanceof StoreConfig.SqliteSettings sqliteSettings
            ? Optional.of(sqliteSettings.directory().resolve(FILE))
            : Optional.empty();
    Optional<SecretKey> passing =
        engine instanceof StoreConfig.InMemorySettings
            ? Optional.of(toKey(randomBytes(randomSource)))
            : Optional.empty();
    WebhookKeyProvider keys = new WebhookKeyProvider(given, variable, file, passing, randomSource);
    if (given.isPresent()) {
      keys.findOrCreateKey(); // refuses a variable with an invalid key at the start
    }
    return keys;
  }

  /** Returns the key, if there is one already. */
  Optional<SecretKey> findKey() {
    if (given.isPresent()) {
      return given.map(text -> parseKey(text, "The variable " + variable));
    }
    if (passing.isPresent()) {
      return passing;
    }
    return file.filter(Files::exists).map(WebhookKeyProvider::readKeyFile);
  }

  boolean isAvailable() {
    return file.isPresent() || findKey().isPresent();
  }

  /** Returns the key, and creates it if that is possible here. */
  SecretKey findOrCreateKey() {
    Optional<SecretKey> present = findKey();
    if (present.isPresent()) {
      return present.get();
    }
    return file.map(this::createKeyFile).orElseThrow(() -> WebhookException.noSecretKey(variable));
  }

  private SecretKey createKeyFile(Path target) {
    byte[] bytes = randomBytes(randomSource);
    try (FileChannel channel =
        PrivateFiles.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      String text = Base64.getEncoder().encodeToString(bytes) + "\n";
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
      return toKey(bytes);
    } catch (FileAlreadyExistsException _) {
      return readKeyFile(target);
    } catch (IOException e) {
      throw WebhookException.secretKeyUnreadable("The file " + target, e.getMessage());
    }
  }

  private static SecretKey readKeyFile(Path file) {
    try {
      return parseKey(Files.readString(file, StandardCharsets.US_ASCII), "The file " + file);
    } catch (IOException e) {
      throw WebhookException.secretKeyUnreadable("The file " + file, e.getMessage());
    }
  }

  private static SecretKey parseKey(String text, String where) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.strip());
      if (bytes.length == KEY_BYTES) {
        return toKey(bytes);
      }
    } catch (IllegalArgumentException _) {
      // refused below, without quoting the key
    }
    throw WebhookException.secretKeyUnreadable(where, "the value is not base64 of 32 bytes");
  }

  private static SecretKey toKey(byte[] bytes) {
    return new SecretKeySpec(bytes, ALGORITHM);
  }

  private static byte[] randomBytes(RandomSource randomSource) {
    byte[] bytes = new byte[KEY_BYTES];
    randomSource.nextBytes(bytes);
    return bytes;
  }
}
