package dev.caliber.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** One client's connection through a {@link FlakyProxy}. */
final class FlakyConnection {

  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int ENCRYPTION_REQUEST = 80_877_103;
  private static final int CHUNK = 8192;

  private final FlakyProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Map<String, String> statements = new HashMap<>();
  private volatile boolean swallowing;
  private volatile boolean stranded;

  FlakyConnection(FlakyProxy proxy, Socket client, Socket server) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start() {
    Thread.ofPlatform()
        .name("flaky-there")
        .daemon()
        .start(() -> runAndClose(this::forwardRequests));
    Thread.ofPlatform().name("flaky-back").daemon().start(() -> runAndClose(this::forwardAnswers));
  }

  /** Closes the client's side only; the server does not notice. */
  void closeClientOnly() {
    stranded = true;
    closeQuietly(client);
  }

  void closeBoth() {
    closeQuietly(client);
    closeQuietly(server);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // Closed already, for all purposes.
    }
  }

  private interface ForwardingLoop {
    void run() throws IOException;
  }

  private void runAndClose(ForwardingLoop forwardingLoop) {
    try {
      forwardingLoop.run();
    } catch (IOException _) {
      // One end has closed, so the other end is closed too.
    } finally {
      closeQuietly(client);
      if (!stranded) {
        closeQuietly(server);
      }
    }
  }

  private void forwardAnswers() throws IOException {
    InputStream in = server.getInputStream();
    OutputStream out = client.getOutputStream();
    byte[] chunk = new byte[CHUNK];
    int read = in.read(chunk);
    while (read >= 0 && !swallowing) {
      out.write(chunk, 0, read);
      read = in.read(chunk);
    }
  }

  private void forwardRequests() throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(client.getInputStream(), CHUNK));
    OutputStream out = new BufferedOutputStream(server.getOutputStream(), CHUNK);
    while (!forwardStartup(in, out)) {
      out.flush();
    }
    out.flush();
    while (true) {
      char type = (char) in.readUnsignedByte();
      byte[] body = readBody(in);
      count(type, body);
      boolean breaks = isCommit(type, body) && breaksAtCommit();
      if (breaks || !forward(out, type, body)) {
        return;
      }
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  private void count(char type, byte[] body) {
    proxy.count(type);
    switch (type) {
      case 'Q' -> proxy.countParsed(textAt(body, 0));
      case 'P' -> proxy.countParsed(textAt(body, positionAfterText(body, 0)));
      default -> {}
    }
  }

  /**
   * Returns true if the commit must not be passed on; if only its answer must be lost, records
   * that.
   */
  private boolean breaksAtCommit() {
    FlakyProxy.ConnectionBreak armed = proxy.armedBreak();
    return switch (armed) {
      case FlakyProxy.ConnectionBreak.NoBreak _, FlakyProxy.ConnectionBreak.BreakAfterBytes _ ->
          false;
      case FlakyProxy.ConnectionBreak.BreakBeforeCommit _ -> proxy.consumeBreak(armed);
      case FlakyProxy.ConnectionBreak.PermanentBreakBeforeCommit _ -> {
        boolean taken = proxy.consumeBreak(armed);
        if (taken) {
          proxy.breakForGood();
        }
        yield taken;
      }
      case FlakyProxy.ConnectionBreak.BreakAfterCommit _ -> {
        swallowing = proxy.consumeBreak(armed);
        yield false;
      }
    };
  }

  /**
   * Passes on the first messages, which have no type; returns true after the one that begins the
   * session.
   */
  private static boolean forwardStartup(DataInputStream in, OutputStream out) throws IOException {
    byte[] body = readBody(in);
    DataOutputStream data = new DataOutputStream(out);
    data.writeInt(body.length + LENGTH_BYTES);
    data.write(body);
    return ByteBuffer.wrap(body).getInt() != ENCRYPTION_REQUEST;
  }

  private static byte[] readBody(DataInputStream in) throws IOException {
    byte[] body = new byte[in.readInt() - LENGTH_BYTES];
    in.readFully(body);
    return body;
  }

  /** Passes a message on; returns false if the connection has to break within it. */
  private boolean forward(OutputStream out, char type, byte[] body) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(message);
    data.writeByte(type);
    data.writeInt(body.length + LENGTH_BYTES);
    data.write(body);
    byte[] bytes = message.toByteArray();
    int allowed = proxy.consumeBytes(bytes.length);
    out.write(bytes, 0, allowed);
    if (allowed < bytes.length) {
      out.flush();
      return false;
    }
    return true;
  }

  private boolean isCommit(char type, byte[] body) {
    return switch (type) {
      case 'Q' -> isCommit(textAt(body, 0));
      case 'P' -> {
        statements.put(textAt(body, 0), textAt(body, positionAfterText(body, 0)));
        yield false;
      }
      case 'B' -> isCommit(statements.getOrDefault(textAt(body, positionAfterText(body, 0)), ""));
      default -> false;
    };
  }

  private static boolean isCommit(String sql) {
    return sql.strip().equalsIgnoreCase("COMMIT");
  }

  private static String textAt(byte[] body, int from) {
    return new String(body, from, positionAfterText(body, from) - from - 1, StandardCharsets.UTF_8);
  }

  /** Returns the position after the zero byte that ends the text at this position. */
  private static int positionAfterText(byte[] body, int from) {
    int end = from;
    while (body[end] != 0) {
      end++;
    }
    return end + 1;
  }
}
