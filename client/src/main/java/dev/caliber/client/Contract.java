package dev.caliber.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What a server promises. */
public final class Contract {
  private static final String OPEN_API = "openapi.yaml";
  private static final String PROTO = "caliber.proto";

  private Contract() {}

  /** The OpenAPI document, in YAML. */
  public static byte[] openApi() {
    return resource(OPEN_API);
  }

  /** The same for gRPC, from which clients in any language are generated. */
  public static byte[] proto() {
    return resource(PROTO);
  }

  private static byte[] resource(String name) {
    try (InputStream in = Objects.requireNonNull(Contract.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
