package dev.caliber.client;

import java.net.URI;

/** A client of one server. */
public record CaliberClient(URI server) {}
