package dev.caliber.server.proxy;

import java.io.IOException;

/** The client that waits for a model's answer. */
public interface ChatResponseWriter {
  /** Adds a header before the answer begins. */
  void addHeader(String name, String value);

  /** Sends a complete answer. */
  void sendWhole(int status, byte[] json) throws IOException;

  /** Begins a stream of events. */
  void beginStream() throws IOException;

  /** Sends lines of the stream without delay. */
  void sendLines(String text) throws IOException;
}
