package dev.caliber.server.rest;

import dev.caliber.client.Contract;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The files that anybody may have: the contract, and a page that says what this is. */
final class Assets {
  private static final String PAGE = "index.html";

  private final byte[] page = read(PAGE);
  private final byte[] contract = Contract.openApi();

  void page(Context context) {
    context
        .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        .header("X-Content-Type-Options", "nosniff")
        .contentType("text/html; charset=utf-8")
        .result(page);
  }

  void contract(Context context) {
    context.contentType("application/yaml").result(contract);
  }

  private static byte[] read(String name) {
    try (InputStream in = Objects.requireNonNull(Assets.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
