package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.RandomSource;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * A cipher for webhook secrets, version 1: {@code v1.} and base64 of a nonce of 12 bytes and the
 * AES-256-GCM ciphertext, with the webhook's id as associated data, so that a secret moved to
 * another webhook does not decrypt.
 */
final class WebhookSecretCipher {
  private static final String VERSION = "v1.";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final WebhookKeyProvider keys;
  private final RandomSource randomSource;

  WebhookSecretCipher(WebhookKeyProvider keys, RandomSource randomSource) {
    this.keys = keys;
    this.randomSource = randomSource;
  }

  /**
   * Returns whether {@link #encrypt} made the text; otherwise it is a plain secret of an older
   * version.
   */
  static boolean isEncrypted(String text) {
    return text.startsWith(VERSION);
  }

  /** Returns whether there is a key, or one can be created here. */
  boolean canEncrypt() {
    return keys.isAvailable();
  }

  String encrypt(Id webhook, String secret) {
    byte[] nonce = new byte[NONCE_BYTES];
    randomSource.nextBytes(nonce);
    try {
      Cipher cipher = newCipher(Cipher.ENCRYPT_MODE, keys.findOrCreateKey(), nonce, webhook);
      byte[] sealed = cipher.doFinal(secret.getBytes(StandardCharsets.UTF_8));
      byte[] all = Arrays.copyOf(nonce, nonce.length + sealed.length);
      System.arraycopy(sealed, 0, all, nonce.length, sealed.length);
      return VERSION + Base64.getEncoder().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + CIPHER, e);
    }
  }

  String decrypt(Id webhook, String sealed) {
    try {
      SecretKey key = keys.findKey().orElseThrow(() -> WebhookException.secretLost(webhook));
      byte[] all = Base64.getDecoder().decode(sealed.substring(VERSION.length()));
      byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
      Cipher cipher = newCipher(Cipher.DECRYPT_MODE, key, nonce, webhook);
      byte[] secret = cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
      return new String(secret, StandardCharsets.UTF_8);
    } catch (AEADBadTagException | IllegalArgumentException _) {
      throw WebhookException.secretLost(webhook);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + CIPHER, e);
    }
  }

  private static Cipher newCipher(int mode, SecretKey key, byte[] nonce, Id webhook)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(webhook.toString().getBytes(StandardCharsets.US_ASCII));
    return cipher;
  }
}
