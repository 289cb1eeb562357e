package dev.caliber.server.webhook;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.PrivateFiles;
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
 * Finds the key that webhook secrets are encrypted with. It is never in the store, so that no
 * backup, export or copy of the store's file holds a usable secret.
 */
public final class SecretKeys {
  /** Beside an embedded store; it is written once, and is its owner's alone. */
  static final String FILE = "caliber.key";

  private static final String ALGORITHM = "AES";
  private static final int KEY_BYTES = 32;

  private final Optional<String> given;
  private final String variable;
  private final Optional<Path> file;
  private final Optional<SecretKey> passing;
  private final Chance chance;

  private SecretKeys(
      Optional<String> given,
      String variable,
      Optional<Path> file,
      Optional<SecretKey> passing,
      Chance chance) {
    this.given = given;
    this.variable = variable;
    this.file = file;
    this.passing = passing;
    this.chance = chance;
  }

  /**
   * The key of this process: what the environment gives, else the file beside an embedded store. A
   * store in memory has a key that ends with it; processes on PostgreSQL have to be given one.
   */
  public static SecretKeys of(
      String variable,
      Map<String, String> environment,
      StoreConfig.EngineConfig engine,
      Chance chance) {
    Optional<String> given =
        Optional.ofNullable(environment.get(variable)).filter(text -> !text.isBlank());
    Optional<Path> file =
        engine instanceof StoreConfig.Sqlite sqlite
            ? Optional.of(sqlite.directory().resolve(FILE))
            : Optional.empty();
    Optional<SecretKey> passing =
        engine instanceof StoreConfig.InMemory
            ? Optional.of(key(random(chance)))
            : Optional.empty();
    SecretKeys keys = new SecretKeys(given, variable, file, passing, chance);
    if (given.isPresent()) {
      keys.required(); // a variable that holds no key is refused at the start
    }
    return keys;
  }

  /** The key, if there is one already. */
  Optional<SecretKey> present() {
    if (given.isPresent()) {
      return given.map(text -> parse(text, "The variable " + variable));
    }
    if (passing.isPresent()) {
      return passing;
    }
    return file.filter(Files::exists).map(SecretKeys::read);
  }

  boolean isAvailable() {
    return file.isPresent() || present().isPresent();
  }

  /** The key, made now if that can be done here. */
  SecretKey required() {
    Optional<SecretKey> present = present();
    if (present.isPresent()) {
      return present.get();
    }
    return file.map(this::make).orElseThrow(() -> WebhookException.noSecretKey(variable));
  }

  private SecretKey make(Path target) {
    byte[] bytes = random(chance);
    try (FileChannel channel =
        PrivateFiles.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      String text = Base64.getEncoder().encodeToString(bytes) + "\n";
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
      return key(bytes);
    } catch (FileAlreadyExistsException _) {
      return read(target);
    } catch (IOException e) {
      throw WebhookException.secretKeyUnreadable("The file " + target, e.getMessage());
    }
  }

  private static SecretKey read(Path file) {
    try {
      return parse(Files.readString(file, StandardCharsets.US_ASCII), "The file " + file);
    } catch (IOException e) {
      throw WebhookException.secretKeyUnreadable("The file " + file, e.getMessage());
    }
  }

  private static SecretKey parse(String text, String where) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.strip());
      if (bytes.length == KEY_BYTES) {
        return key(bytes);
      }
    } catch (IllegalArgumentException _) {
      // refused below, without what it holds
    }
    throw WebhookException.secretKeyUnreadable(where, "it is not base64 of 32 bytes");
  }

  private static SecretKey key(byte[] bytes) {
    return new SecretKeySpec(bytes, ALGORITHM);
  }

  private static byte[] random(Chance chance) {
    byte[] bytes = new byte[KEY_BYTES];
    chance.nextBytes(bytes);
    return bytes;
  }
}
