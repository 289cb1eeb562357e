package dev.caliber.server;

import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;

/** A running server: all modules, and the protocols that serve them. */
public interface CaliberServer extends AutoCloseable {

  /** Opens the modules and starts listening. */
  static CaliberServer start(ServerSetup serverSetup) {
    return RunningServer.start(serverSetup);
  }

  /** The address for clients on this machine. */
  URI address();

  /** The gRPC port, if gRPC is served. */
  OptionalInt grpcPort();

  /** The time since the last request ended; zero while a request is running. */
  Duration idleTime();

  /** Accepts no more requests, waits for running ones, and closes the modules. */
  @Override
  void close();
}
