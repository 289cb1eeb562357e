package dev.caliber.server.access;

import dev.caliber.server.settings.ServerConfig;

/** How much a server does at a time, all protocols together. */
public record Capacity(Turns turns, StreamPlaces streams) {
  /** As much as these settings say. */
  public static Capacity of(ServerConfig config) {
    return new Capacity(new Turns(config.limits()), new StreamPlaces(config));
  }
}
