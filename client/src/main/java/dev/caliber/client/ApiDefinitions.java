package dev.caliber.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The definitions of the server's API. */
public final class ApiDefinitions {
  private static final String OPEN_API = "openapi.yaml";
  private static final String PROTO = "caliber.proto";

  private ApiDefinitions() {}

  /** The OpenAPI document, in YAML. */
  public static byte[] openApi() {
    return readResource(OPEN_API);
  }

  /** The gRPC definition, from which clients in any language are generated. */
  public static byte[] proto() {
    return readResource(PROTO);
  }

  private static byte[] readResource(String name) {
    try (InputStream in =
        Objects.requireNonNull(ApiDefinitions.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
