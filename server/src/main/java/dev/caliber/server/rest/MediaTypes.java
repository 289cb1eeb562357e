package dev.caliber.server.rest;

import io.javalin.http.Context;
import java.util.Locale;

/** What bodies are called. */
final class MediaTypes {
  static final String JSON = "application/json";
  static final String LINES = "application/x-ndjson";

  private MediaTypes() {}

  /** Whether a header names this type, whatever its parameters. */
  static boolean is(String header, String type) {
    return header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(type);
  }

  static boolean wantsLines(Context context) {
    String accept = context.header("Accept");
    return accept != null && accept.contains(LINES);
  }
}
