package dev.caliber.server;

import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;

/** A running server: all rooms, and the protocols over them. */
public interface CaliberServer extends AutoCloseable {

  /** Opens the rooms and begins to listen. */
  static CaliberServer start(Setup setup) {
    return RunningServer.start(setup);
  }

  /** Where it listens, as a client on this machine calls it. */
  URI address();

  /** The port of gRPC, if it is served. */
  OptionalInt grpcPort();

  /** How long nobody has asked for anything; nothing while somebody waits for an answer. */
  Duration idle();

  /** Takes no more requests, lets those that run end, and closes the rooms. */
  @Override
  void close();
}
