package dev.caliber.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What a server promises. */
public final class Contract {
  private static final String OPEN_API = "openapi.yaml";

  private Contract() {}

  /** The OpenAPI document, in YAML. */
  public static byte[] openApi() {
    try (InputStream in =
        Objects.requireNonNull(Contract.class.getResourceAsStream(OPEN_API), OPEN_API)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
