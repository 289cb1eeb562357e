package dev.caliber.server;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * {@code server.json} beside the data of an embedded store: which process holds it, and where it
 * listens. It goes with the server; what a killed one leaves behind is told by its process.
 */
public final class ServerFile implements AutoCloseable {
  private static final String NAME = "server.json";

  private final Path file;

  private ServerFile(Path file) {
    this.file = file;
  }

  private record Content(String url, long pid) {}

  /** Says that this process serves the store in the directory. */
  public static ServerFile write(Path directory, URI address) throws IOException {
    Path file = directory.resolve(NAME);
    Path draft = Files.createTempFile(directory, NAME, ".tmp");
    Files.write(draft, Json.bytes(new Content(address.toString(), ProcessHandle.current().pid())));
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return new ServerFile(file);
  }

  /**
   * Where the store in the directory is served, if a living process says so. Only this machine is
   * believed: whoever brings a directory along could name any other.
   */
  public static Optional<URI> find(Path directory) throws IOException {
    try {
      Content content = Json.read(Files.readAllBytes(directory.resolve(NAME)), Content.class);
      return ProcessHandle.of(content.pid()).filter(ProcessHandle::isAlive).isPresent()
          ? Optional.of(URI.create(content.url())).filter(ServerFile::isHere)
          : Optional.empty();
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (CaliberException | IllegalArgumentException _) {
      return Optional.empty(); // no file of ours
    }
  }

  private static boolean isHere(URI address) {
    try {
      InetAddress host = InetAddress.getByName(address.getHost());
      return "http".equals(address.getScheme())
          && (host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null);
    } catch (UnknownHostException | SocketException _) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
