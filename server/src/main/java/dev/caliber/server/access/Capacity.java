package dev.caliber.server.access;

import dev.caliber.server.settings.ServerConfig;

/** How much a server does at a time, all protocols together. */
public record Capacity(Turns turns, StreamPlaces streams) {
  /** As much as these limits say. */
  public static Capacity of(ServerConfig.Limits limits) {
    return new Capacity(new Turns(limits), new StreamPlaces(limits));
  }
}
