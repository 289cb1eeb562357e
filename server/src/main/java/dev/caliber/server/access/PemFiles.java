package dev.caliber.server.rest;

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
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate and its key from two PEM files. Each handshake looks whether they have changed, so
 * that a renewed certificate needs no restart; while the new files are wrong, the old ones serve.
 */
final class PemFiles extends X509ExtendedKeyManager {
  private static final Logger LOG = LoggerFactory.getLogger(PemFiles.class);
  private static final String ALIAS = "caliber";
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  private final ServerConfig.Tls files;
  private volatile Pair pair;

  private PemFiles(ServerConfig.Tls files, Pair pair) {
    this.files = files;
    this.pair = pair;
  }

  /** What was read, and of when the files were then. */
  private record Pair(PrivateKey key, List<X509Certificate> chain, List<FileTime> times) {}

  /** What Jetty needs for TLS with these files. */
  static SSLContext context(ServerConfig.Tls files) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new PemFiles[] {new PemFiles(files, read(files))}, null, null);
      return context;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  private static Pair read(ServerConfig.Tls files) throws IOException, GeneralSecurityException {
    List<FileTime> times = times(files);
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
    return new Pair(key, chain, times);
  }

  private static List<FileTime> times(ServerConfig.Tls files) throws IOException {
    return List.of(
        Files.getLastModifiedTime(files.certificate()), Files.getLastModifiedTime(files.key()));
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
    try {
      if (!times(files).equals(pair.times())) {
        pair = read(files);
        LOG.info("TLS: took up the changed files");
      }
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      LOG.warn("TLS: the changed files are wrong, those from before still serve", e);
    }
    return pair;
  }

  /** A handshake names the kinds of key that it can use; the pair is of one. */
  private @Nullable String alias(String kind) {
    return kind.equals(current().chain().getFirst().getPublicKey().getAlgorithm()) ? ALIAS : null;
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
    return new String[] {ALIAS};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return pair.chain().toArray(new X509Certificate[0]);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return pair.key();
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
