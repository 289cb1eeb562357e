package dev.caliber.server.rest;

import dev.caliber.server.access.PemFiles;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import io.javalin.config.JettyConfig;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** How Jetty takes connections: how many, how slow, and with TLS if settings name its files. */
final class Connections {
  private static final String OTHER_METHOD = "X-HTTP-Method-Override";

  private Connections() {}

  static void configure(JettyConfig jetty, ServerConfig config) {
    ServerConfig.Limits limits = config.limits();
    jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          http.setIdleTimeout(limits.idle().toMillis());
          http.addCustomizer((request, _) -> asItBegins(request));
        });
    jetty.modifyServer(
        server -> {
          server.setStopTimeout(limits.stop().toMillis());
          server.addBean(new NetworkConnectionLimit(config.network().connections(), server));
        });
    config
        .network()
        .tls()
        .map(Connections::context)
        .ifPresent(
            context -> jetty.addConnector((server, http) -> secure(server, http, context, config)));
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

  private static Connector secure(
      Server server, HttpConfiguration http, SSLContext context, ServerConfig config) {
    HttpConfiguration secure = new HttpConfiguration(http);
    /* Which names are served is for Addresses to say, with an answer that can be read. */
    SecureRequestCustomizer customizer = new SecureRequestCustomizer();
    customizer.setSniHostCheck(false);
    secure.addCustomizer(customizer);
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(context);
    ServerConnector connector =
        new ServerConnector(
            server,
            new SslConnectionFactory(factory, HttpVersion.HTTP_1_1.asString()),
            new HttpConnectionFactory(secure));
    connector.setHost(config.listening().host());
    connector.setPort(config.listening().port());
    return connector;
  }
}
