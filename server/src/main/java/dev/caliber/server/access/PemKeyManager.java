package dev.caliber.server.access;

import dev.caliber.kernel.FieldHash;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate and its key from two PEM files. Each handshake checks whether the files have
 * changed, so that a renewed certificate needs no restart. While the new files are invalid or one
 * is missing, the old pair is used.
 */
public final class PemKeyManager extends X509ExtendedKeyManager {
  private static final Logger LOG = LoggerFactory.getLogger(PemKeyManager.class);
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private final ServerConfig.TlsFiles files;
  private volatile LoadedKeyPairs loadedKeyPairs; // written by one handshake at a time

  private PemKeyManager(ServerConfig.TlsFiles files, LoadedKeyPairs loadedKeyPairs) {
    this.files = files;
    this.loadedKeyPairs = loadedKeyPairs;
  }

  /** A private key and its certificate chain. */
  private record KeyCertificatePair(String alias, PrivateKey key, List<X509Certificate> chain) {}

  /**
   * The key pairs in use.
   *
   * @param fileTimes the modification times of the files that were read last, valid or not
   * @param previous the pair before, for a handshake that began with it
   */
  private record LoadedKeyPairs(
      List<FileTime> fileTimes, KeyCertificatePair current, KeyCertificatePair previous) {}

  /** Creates the manager; refuses files that are not a certificate and its key. */
  public static X509ExtendedKeyManager of(ServerConfig.TlsFiles files) {
    try {
      List<FileTime> seen = modificationTimes(files);
      KeyCertificatePair keyCertificatePair = readPair(files);
      return new PemKeyManager(
          files, new LoadedKeyPairs(seen, keyCertificatePair, keyCertificatePair));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  private static KeyCertificatePair readPair(ServerConfig.TlsFiles files)
      throws IOException, GeneralSecurityException {
    PrivateKey key = readPrivateKey(files.key());
    List<X509Certificate> chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(files.certificate())))
            .stream()
            .map(X509Certificate.class::cast)
            .toList();
    if (chain.isEmpty()) {
      throw new GeneralSecurityException("no certificate in " + files.certificate());
    }
    byte[] certificate = chain.getFirst().getEncoded();
    if (!isMatchingPair(key, chain.getFirst().getPublicKey(), certificate)) {
      throw new GeneralSecurityException(
          "the key in %s is not that of the certificate in %s"
              .formatted(files.key(), files.certificate()));
    }
    return new KeyCertificatePair(FieldHash.hex(FieldHash.sha256(certificate)), key, chain);
  }

  /** Returns whether the public key verifies a signature of the private key. */
  private static boolean isMatchingPair(PrivateKey key, PublicKey other, byte[] text)
      throws NoSuchAlgorithmException {
    Signature signature = Signature.getInstance(signatureAlgorithm(key));
    try {
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(other);
      signature.update(text);
      return signature.verify(signed);
    } catch (InvalidKeyException | SignatureException _) {
      return false; // the keys are of different algorithms
    }
  }

  private static String signatureAlgorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> "EdDSA";
    };
  }

  /** Returns nothing if one of the files is missing. */
  private static List<FileTime> modificationTimes(ServerConfig.TlsFiles files) {
    try {
      return List.of(
          Files.getLastModifiedTime(files.certificate()), Files.getLastModifiedTime(files.key()));
    } catch (IOException _) {
      return List.of();
    }
  }

  /** Reads the private key by trying each algorithm: the file does not name it. */
  private static PrivateKey readPrivateKey(Path file) throws IOException, GeneralSecurityException {
    Matcher matcher = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    if (!matcher.find()) {
      throw new GeneralSecurityException("no PKCS#8 key in " + file);
    }
    var content = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
    var refusal = new GeneralSecurityException("no RSA, EC or EdDSA key in " + file);
    for (String kind : List.of("EC", "RSA", "EdDSA")) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(content);
      } catch (GeneralSecurityException e) {
        refusal.addSuppressed(e);
      }
    }
    throw refusal;
  }

  private KeyCertificatePair currentPair() {
    List<FileTime> times = modificationTimes(files);
    if (!times.equals(loadedKeyPairs.fileTimes())) {
      reloadIfChanged(times);
    }
    return loadedKeyPairs.current();
  }

  /** Reloads the files; a fault is logged once per change, not by each handshake. */
  private synchronized void reloadIfChanged(List<FileTime> times) {
    if (times.equals(loadedKeyPairs.fileTimes())) {
      return; // another handshake reloaded them first
    }
    try {
      loadedKeyPairs = new LoadedKeyPairs(times, readPair(files), loadedKeyPairs.current());
      LOG.info("TLS: reloaded the changed certificate files");
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      loadedKeyPairs =
          new LoadedKeyPairs(times, loadedKeyPairs.current(), loadedKeyPairs.previous());
      LOG.warn(
          "TLS: the changed certificate files are invalid, the previous ones stay in use: {}",
          e.getMessage());
    }
  }

  private KeyCertificatePair findPair(String alias) {
    LoadedKeyPairs known = loadedKeyPairs;
    return alias.equals(known.previous().alias()) ? known.previous() : known.current();
  }

  /** Returns the alias if the key is of the requested type. */
  private @Nullable String aliasForKeyType(String kind) {
    KeyCertificatePair keyCertificatePair = currentPair();
    return kind.equals(keyCertificatePair.chain().getFirst().getPublicKey().getAlgorithm())
        ? keyCertificatePair.alias()
        : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String kind, Principal @Nullable [] issuers, SSLEngine engine) {
    return aliasForKeyType(kind);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String kind, Principal @Nullable [] issuers, Socket socket) {
    return aliasForKeyType(kind);
  }

  @Override
  public String[] getServerAliases(String kind, Principal @Nullable [] issuers) {
    return new String[] {currentPair().alias()};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return findPair(alias).chain().toArray(new X509Certificate[0]);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return findPair(alias).key();
  }

  @Override
  public String @Nullable [] getClientAliases(String kind, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] kinds, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }
}
