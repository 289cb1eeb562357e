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

/** One client's line through a {@link FlakyProxy}. */
final class FlakyLine {

  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int ENCRYPTION_REQUEST = 80_877_103;
  private static final int CHUNK = 8192;

  private final FlakyProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Map<String, String> statements = new HashMap<>();
  private volatile boolean swallowing;
  private volatile boolean stranded;

  FlakyLine(FlakyProxy proxy, Socket client, Socket server) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start() {
    Thread.ofPlatform().name("flaky-there").daemon().start(() -> endingBoth(this::carryThere));
    Thread.ofPlatform().name("flaky-back").daemon().start(() -> endingBoth(this::carryBack));
  }

  /** Hangs up on the client; the server does not notice that anybody has gone. */
  void strand() {
    stranded = true;
    closeQuietly(client);
  }

  void cut() {
    closeQuietly(client);
    closeQuietly(server);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is as good as closed.
    }
  }

  private interface Carrier {
    void run() throws IOException;
  }

  private void endingBoth(Carrier carrier) {
    try {
      carrier.run();
    } catch (IOException _) {
      // One end has hung up, so the other one is told by the same.
    } finally {
      closeQuietly(client);
      if (!stranded) {
        closeQuietly(server);
      }
    }
  }

  private void carryBack() throws IOException {
    InputStream in = server.getInputStream();
    OutputStream out = client.getOutputStream();
    byte[] chunk = new byte[CHUNK];
    int read = in.read(chunk);
    while (read >= 0 && !swallowing) {
      out.write(chunk, 0, read);
      read = in.read(chunk);
    }
  }

  private void carryThere() throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(client.getInputStream(), CHUNK));
    OutputStream out = new BufferedOutputStream(server.getOutputStream(), CHUNK);
    while (!greet(in, out)) {
      out.flush();
    }
    out.flush();
    while (true) {
      char type = (char) in.readUnsignedByte();
      byte[] body = body(in);
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
      case 'Q' -> proxy.countParsed(text(body, 0));
      case 'P' -> proxy.countParsed(text(body, next(body, 0)));
      default -> {}
    }
  }

  /** True when the commit must not go on; when its answer must not come back, that is noted. */
  private boolean breaksAtCommit() {
    FlakyProxy.Break armed = proxy.armed();
    return switch (armed) {
      case FlakyProxy.Break.Never _, FlakyProxy.Break.AfterBytes _ -> false;
      case FlakyProxy.Break.BeforeCommit _ -> proxy.takes(armed);
      case FlakyProxy.Break.ForGoodBeforeCommit _ -> {
        boolean taken = proxy.takes(armed);
        if (taken) {
          proxy.die();
        }
        yield taken;
      }
      case FlakyProxy.Break.AfterCommit _ -> {
        swallowing = proxy.takes(armed);
        yield false;
      }
    };
  }

  /** The first messages have no type; true when the one that begins the session has gone. */
  private static boolean greet(DataInputStream in, OutputStream out) throws IOException {
    byte[] body = body(in);
    DataOutputStream data = new DataOutputStream(out);
    data.writeInt(body.length + LENGTH_BYTES);
    data.write(body);
    return ByteBuffer.wrap(body).getInt() != ENCRYPTION_REQUEST;
  }

  private static byte[] body(DataInputStream in) throws IOException {
    byte[] body = new byte[in.readInt() - LENGTH_BYTES];
    in.readFully(body);
    return body;
  }

  /** False when the line has to break in the middle of this message. */
  private boolean forward(OutputStream out, char type, byte[] body) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(message);
    data.writeByte(type);
    data.writeInt(body.length + LENGTH_BYTES);
    data.write(body);
    byte[] bytes = message.toByteArray();
    int allowed = proxy.allowed(bytes.length);
    out.write(bytes, 0, allowed);
    if (allowed < bytes.length) {
      out.flush();
      return false;
    }
    return true;
  }

  private boolean isCommit(char type, byte[] body) {
    return switch (type) {
      case 'Q' -> isCommit(text(body, 0));
      case 'P' -> {
        statements.put(text(body, 0), text(body, next(body, 0)));
        yield false;
      }
      case 'B' -> isCommit(statements.getOrDefault(text(body, next(body, 0)), ""));
      default -> false;
    };
  }

  private static boolean isCommit(String sql) {
    return sql.strip().equalsIgnoreCase("COMMIT");
  }

  private static String text(byte[] body, int from) {
    return new String(body, from, next(body, from) - from - 1, StandardCharsets.UTF_8);
  }

  /** Behind the zero byte that ends the text which begins here. */
  private static int next(byte[] body, int from) {
    int end = from;
    while (body[end] != 0) {
      end++;
    }
    return end + 1;
  }
}
