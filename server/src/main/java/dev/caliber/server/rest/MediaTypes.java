package dev.caliber.server.rest;

import io.javalin.http.Context;
import java.util.Locale;

/** The media types of bodies. */
final class MediaTypes {
  static final String JSON = "application/json";
  static final String LINES = "application/x-ndjson";

  private MediaTypes() {}

  /** Returns whether a header names this type, with any parameters. */
  static boolean isType(String header, String type) {
    return header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(type);
  }

  static boolean isJsonLinesRequested(Context context) {
    String accept = context.header("Accept");
    return accept != null && accept.contains(LINES);
  }
}
