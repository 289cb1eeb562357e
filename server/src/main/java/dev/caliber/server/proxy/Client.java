package dev.caliber.server.proxy;

import java.io.IOException;

/** Whoever waits for a model's answer. */
public interface Client {
  /** Something to be said before the answer. */
  void header(String name, String value);

  /** All of it at once. */
  void whole(int status, byte[] json) throws IOException;

  /** A stream of events begins. */
  void begin() throws IOException;

  /** Some lines of it, to be seen at once. */
  void lines(String text) throws IOException;
}
