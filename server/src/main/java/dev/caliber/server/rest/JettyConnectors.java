package dev.caliber.server.rest;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.server.access.PemKeyManager;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.config.JettyConfig;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** A factory of Jetty's connectors, with limits on connections, and with TLS if configured. */
final class JettyConnectors {
  private static final String END_POINT = "dev.caliber.connection";

  /** The URIs that Jetty accepts, without {@code %u0041}, which nothing behind it can decode. */
  private static final UriCompliance URIS =
      UriCompliance.LEGACY.without(
          "CALIBER",
          UriCompliance.Violation.UTF16_ENCODINGS,
          UriCompliance.Violation.BAD_PERCENT_ENCODING);

  private static final String OTHER_METHOD = "X-HTTP-Method-Override";

  private JettyConnectors() {}

  static void configure(JettyConfig jetty, ServerConfig config, IdGenerator idGenerator) {
    ServerConfig.ServerLimits serverLimits = config.limits();
    JettyErrorHandler refused = new JettyErrorHandler(idGenerator);
    ConnectionTracker places = new ConnectionTracker(config.network().connections());
    jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          http.setUriCompliance(URIS);
          http.setIdleTimeout(serverLimits.idleTimeout().toMillis());
          http.addCustomizer(
              (request, headers) -> {
                if (isClosingRequired(request, places)) {
                  headers.put(HttpHeader.CONNECTION, "close");
                }
                return withoutMethodOverride(request);
              });
        });
    jetty.modifyServer(
        server -> {
          server.setStopTimeout(serverLimits.shutdownTimeout().toMillis());
          server.setErrorHandler(refused);
          server.addBean(new NetworkConnectionLimit(config.network().connections().all(), server));
        });
    jetty.modifyServletContextHandler(context -> context.setErrorHandler(refused));
    Optional<SSLContext> tls = config.network().tls().map(JettyConnectors::sslContext);
    jetty.addConnector(
        (server, http) -> {
          ServerConnector connector =
              new DisconnectAwareConnector(
                  server, connectionFactories(http, tls, config.network().headerTimeout(), places));
          connector.setHost(config.listening().host());
          connector.setPort(config.listening().port());
          return connector;
        });
  }

  /** A connector whose connections detect whether their client has left. */
  private static final class DisconnectAwareConnector extends ServerConnector {
    DisconnectAwareConnector(Server server, ConnectionFactory... factories) {
      super(server, factories);
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
        SocketChannel channel, ManagedSelector selector, SelectionKey key) {
      DisconnectAwareEndPoint made = new DisconnectAwareEndPoint(channel, selector, key, this);
      made.setIdleTimeout(getIdleTimeout());
      return made;
    }
  }

  /** Returns whether the client of a request has left, for long work. */
  static boolean hasClientLeft(HttpServletRequest request) {
    return request.getAttribute(END_POINT) instanceof DisconnectAwareEndPoint watched
        && watched.isDisconnected();
  }

  private static boolean isClosingRequired(Request request, ConnectionTracker places) {
    Connection connection = request.getConnectionMetaData().getConnection();
    EndPoint own = connection.getEndPoint();
    while (own instanceof EndPoint.Wrapper wrapped) {
      own = wrapped.unwrap();
    }
    request.setAttribute(END_POINT, own);
    return connection instanceof HeaderTimeoutConnection timed && places.isFullFor(timed);
  }

  /** Removes the header by which a client could override the method of the request line. */
  private static Request withoutMethodOverride(Request request) {
    if (!request.getHeaders().contains(OTHER_METHOD)) {
      return request;
    }
    HttpFields headers = HttpFields.build(request.getHeaders()).remove(OTHER_METHOD).asImmutable();
    return new Request.Wrapper(request) {
      @Override
      public HttpFields getHeaders() {
        return headers;
      }
    };
  }

  private static SSLContext sslContext(ServerConfig.TlsFiles files) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {PemKeyManager.of(files)}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  private static ConnectionFactory[] connectionFactories(
      HttpConfiguration http, Optional<SSLContext> tls, Duration head, ConnectionTracker places) {
    if (tls.isEmpty()) {
      return new ConnectionFactory[] {
        new HeaderTimeoutConnection.HeaderTimeoutConnectionFactory(http, head, places)
      };
    }
    HttpConfiguration secure = new HttpConfiguration(http);
    /* AllowedHosts checks the host names, with an answer that clients can read. */
    SecureRequestCustomizer customizer = new SecureRequestCustomizer();
    customizer.setSniHostCheck(false);
    secure.addCustomizer(customizer);
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(tls.get());
    return new ConnectionFactory[] {
      new SslConnectionFactory(factory, HttpVersion.HTTP_1_1.asString()),
      new HeaderTimeoutConnection.HeaderTimeoutConnectionFactory(secure, head, places)
    };
  }
}
