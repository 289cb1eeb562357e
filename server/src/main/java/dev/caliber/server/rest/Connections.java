package dev.caliber.server.rest;

import dev.caliber.kernel.Ids;
import dev.caliber.server.access.PemFiles;
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

/** How Jetty takes connections: how many, how slow, and with TLS if settings name its files. */
final class Connections {
  private static final String END_POINT = "dev.caliber.connection";

  /** What the library takes, but for {@code %u0041}, which nothing behind it can decode. */
  private static final UriCompliance URIS =
      UriCompliance.LEGACY.without(
          "CALIBER",
          UriCompliance.Violation.UTF16_ENCODINGS,
          UriCompliance.Violation.BAD_PERCENT_ENCODING);

  private static final String OTHER_METHOD = "X-HTTP-Method-Override";

  private Connections() {}

  static void configure(JettyConfig jetty, ServerConfig config, Ids ids) {
    ServerConfig.Limits limits = config.limits();
    RefusedRequests refused = new RefusedRequests(ids);
    ConnectionPlaces places = new ConnectionPlaces(config.network().connections());
    jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          http.setUriCompliance(URIS);
          http.setIdleTimeout(limits.idle().toMillis());
          http.addCustomizer(
              (request, headers) -> {
                if (isWanted(request, places)) {
                  headers.put(HttpHeader.CONNECTION, "close");
                }
                return asItBegins(request);
              });
        });
    jetty.modifyServer(
        server -> {
          server.setStopTimeout(limits.stop().toMillis());
          server.setErrorHandler(refused);
          server.addBean(new NetworkConnectionLimit(config.network().connections().all(), server));
        });
    jetty.modifyServletContextHandler(context -> context.setErrorHandler(refused));
    Optional<SSLContext> tls = config.network().tls().map(Connections::context);
    jetty.addConnector(
        (server, http) -> {
          ServerConnector connector =
              new Watching(server, factories(http, tls, config.network().head(), places));
          connector.setHost(config.listening().host());
          connector.setPort(config.listening().port());
          return connector;
        });
  }

  /** Its connections can be asked whether their client has left. */
  private static final class Watching extends ServerConnector {
    Watching(Server server, ConnectionFactory... factories) {
      super(server, factories);
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
        SocketChannel channel, ManagedSelector selector, SelectionKey key) {
      WatchedEndPoint made = new WatchedEndPoint(channel, selector, key, this);
      made.setIdleTimeout(getIdleTimeout());
      return made;
    }
  }

  /** Whether the client of a request has left, for work that lasts. */
  static boolean isLeft(HttpServletRequest request) {
    return request.getAttribute(END_POINT) instanceof WatchedEndPoint watched && watched.isLeft();
  }

  private static boolean isWanted(Request request, ConnectionPlaces places) {
    Connection connection = request.getConnectionMetaData().getConnection();
    EndPoint own = connection.getEndPoint();
    while (own instanceof EndPoint.Wrapper wrapped) {
      own = wrapped.unwrap();
    }
    request.setAttribute(END_POINT, own);
    return connection instanceof TimedConnection timed && places.isWanted(timed);
  }

  /** What a request wants is in its first line; the library would believe a header, too. */
  private static Request asItBegins(Request request) {
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

  private static SSLContext context(ServerConfig.Tls files) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {PemFiles.of(files)}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  private static ConnectionFactory[] factories(
      HttpConfiguration http, Optional<SSLContext> tls, Duration head, ConnectionPlaces places) {
    if (tls.isEmpty()) {
      return new ConnectionFactory[] {new TimedConnection.Factory(http, head, places)};
    }
    HttpConfiguration secure = new HttpConfiguration(http);
    /* Which names are served is for Addresses to say, with an answer that can be read. */
    SecureRequestCustomizer customizer = new SecureRequestCustomizer();
    customizer.setSniHostCheck(false);
    secure.addCustomizer(customizer);
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(tls.get());
    return new ConnectionFactory[] {
      new SslConnectionFactory(factory, HttpVersion.HTTP_1_1.asString()),
      new TimedConnection.Factory(secure, head, places)
    };
  }
}
