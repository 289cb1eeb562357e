package dev.caliber.server;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * {@code server.json} beside the data of an embedded store: which process holds it, and where it
 * listens. It goes with the server; what a killed one leaves behind is told by its process.
 */
public final class ServerFile implements AutoCloseable {
  private static final String NAME = "server.json";
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final Duration CONNECT_BOUND = Duration.ofSeconds(2);

  private final Path file;

  private ServerFile(Path file) {
    this.file = file;
  }

  private record Content(String url, long pid, Optional<Instant> started) {
    /** Whether the process is there that wrote this; another may have got its number since. */
    boolean isLiving() {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .filter(process -> started.isEmpty() || started.equals(started(process)))
          .isPresent();
    }

    static Optional<Instant> started(ProcessHandle process) {
      return process.info().startInstant();
    }
  }

  /** Says that this process serves the store in the directory. */
  public static ServerFile write(Path directory, URI address) throws IOException {
    Path file = directory.resolve(NAME);
    Path draft = Files.createTempFile(directory, NAME, ".tmp"); // its owner's alone
    try {
      ProcessHandle here = ProcessHandle.current();
      Files.write(
          draft, Json.bytes(new Content(address.toString(), here.pid(), Content.started(here))));
      move(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
    return new ServerFile(file);
  }

  private static void move(Path draft, Path file) throws IOException {
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Where the store in the directory is served, if a living process says so and listens there. Only
   * this machine and a file of this user are believed: whoever brings a directory along could name
   * any other place to send keys to.
   */
  public static Optional<URI> find(Path directory) throws IOException {
    return found(directory, ServerFile::isOurs);
  }

  /** The same whoever wrote it: to name it to a person, never to send it something. */
  public static Optional<URI> named(Path directory) throws IOException {
    return found(directory, _ -> true);
  }

  private interface Believed {
    boolean test(Path file) throws IOException;
  }

  private static Optional<URI> found(Path directory, Believed believed) throws IOException {
    try {
      Path file = directory.resolve(NAME);
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !believed.test(file)) {
        return Optional.empty();
      }
      Content content = Json.read(Files.readAllBytes(file), Content.class);
      return content.isLiving()
          ? Optional.of(URI.create(content.url()))
              .filter(ServerFile::isHere)
              .filter(ServerFile::isListening)
          : Optional.empty();
    } catch (NoSuchFileException | AccessDeniedException _) {
      return Optional.empty();
    } catch (CaliberException | IllegalArgumentException _) {
      return Optional.empty(); // no file of ours
    }
  }

  private static boolean isOurs(Path file) throws IOException {
    return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(ourselves(file));
  }

  /** By name; a user who is a number only, as in some containers, is who owns what it makes. */
  private static UserPrincipal ourselves(Path near) throws IOException {
    try {
      return near.getFileSystem()
          .getUserPrincipalLookupService()
          .lookupPrincipalByName(System.getProperty("user.name", ""));
    } catch (UserPrincipalNotFoundException _) {
      Path made = Files.createTempFile("caliber", ".owner");
      try {
        return Files.getOwner(made);
      } finally {
        Files.delete(made);
      }
    }
  }

  private static boolean isHere(URI address) {
    try {
      InetAddress host = InetAddress.getByName(address.getHost());
      return SCHEMES.contains(address.getScheme())
          && (host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null);
    } catch (UnknownHostException | SocketException _) {
      return false;
    }
  }

  private static boolean isListening(URI address) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getByName(address.getHost()), address.getPort()),
          (int) CONNECT_BOUND.toMillis());
      return true;
    } catch (IOException | IllegalArgumentException _) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
