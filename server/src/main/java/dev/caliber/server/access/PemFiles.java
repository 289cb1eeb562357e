package dev.caliber.server.access;

import dev.caliber.kernel.Hashing;
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
 * A certificate and its key from two PEM files. Each handshake looks whether they have changed, so
 * that a renewed certificate needs no restart. While the new files are wrong, or only one of them
 * is there, the old ones serve.
 */
public final class PemFiles extends X509ExtendedKeyManager {
  private static final Logger LOG = LoggerFactory.getLogger(PemFiles.class);
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private final ServerConfig.Tls files;
  private volatile State state; // written by one handshake at a time

  private PemFiles(ServerConfig.Tls files, State state) {
    this.files = files;
    this.state = state;
  }

  /** A key and the certificate that it is of, with those that lead to it. */
  private record Pair(String alias, PrivateKey key, List<X509Certificate> chain) {}

  /**
   * What serves.
   *
   * @param seen of when the files were that were looked at last, right or wrong
   * @param before for a handshake that began when it served
   */
  private record State(List<FileTime> seen, Pair now, Pair before) {}

  /** Refuses files that are no certificate and its key. */
  public static X509ExtendedKeyManager of(ServerConfig.Tls files) {
    try {
      List<FileTime> seen = times(files);
      Pair pair = read(files);
      return new PemFiles(files, new State(seen, pair, pair));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  private static Pair read(ServerConfig.Tls files) throws IOException, GeneralSecurityException {
    PrivateKey key = key(files.key());
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
    if (!isOf(key, chain.getFirst().getPublicKey(), certificate)) {
      throw new GeneralSecurityException(
          "the key in %s is not that of the certificate in %s"
              .formatted(files.key(), files.certificate()));
    }
    return new Pair(Hashing.hex(Hashing.sha256(certificate)), key, chain);
  }

  /** Whether what one of them signs is right to the other. */
  private static boolean isOf(PrivateKey key, PublicKey other, byte[] text)
      throws NoSuchAlgorithmException {
    Signature signature = Signature.getInstance(algorithm(key));
    try {
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(other);
      signature.update(text);
      return signature.verify(signed);
    } catch (InvalidKeyException | SignatureException _) {
      return false; // they are not even of one kind
    }
  }

  private static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> "EdDSA";
    };
  }

  /** Nothing where one of them is not there. */
  private static List<FileTime> times(ServerConfig.Tls files) {
    try {
      return List.of(
          Files.getLastModifiedTime(files.certificate()), Files.getLastModifiedTime(files.key()));
    } catch (IOException _) {
      return List.of();
    }
  }

  /** The file says that it is a key, not of which kind. */
  private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
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

  private Pair current() {
    List<FileTime> times = times(files);
    if (!times.equals(state.seen())) {
      look(times);
    }
    return state.now();
  }

  /** What is wrong is said once, not by each handshake. */
  private synchronized void look(List<FileTime> times) {
    if (times.equals(state.seen())) {
      return; // another handshake was first
    }
    try {
      state = new State(times, read(files), state.now());
      LOG.info("TLS: took up the changed files");
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      state = new State(times, state.now(), state.before());
      LOG.warn(
          "TLS: the changed files are wrong, those from before still serve: {}", e.getMessage());
    }
  }

  private Pair pair(String alias) {
    State known = state;
    return alias.equals(known.before().alias()) ? known.before() : known.now();
  }

  /** A handshake names the kinds of key that it can use; the pair is of one. */
  private @Nullable String alias(String kind) {
    Pair pair = current();
    return kind.equals(pair.chain().getFirst().getPublicKey().getAlgorithm()) ? pair.alias() : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String kind, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(kind);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String kind, Principal @Nullable [] issuers, Socket socket) {
    return alias(kind);
  }

  @Override
  public String[] getServerAliases(String kind, Principal @Nullable [] issuers) {
    return new String[] {current().alias()};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return pair(alias).chain().toArray(new X509Certificate[0]);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return pair(alias).key();
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
