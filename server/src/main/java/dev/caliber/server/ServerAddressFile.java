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
 * The file {@code server.json} beside the data of an embedded store: the process that holds the
 * store, and its address. Closing deletes it; a file that a killed process left behind is
 * recognised by its process id.
 */
public final class ServerAddressFile implements AutoCloseable {
  private static final String NAME = "server.json";
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final Duration CONNECT_BOUND = Duration.ofSeconds(2);

  private final Path file;

  private ServerAddressFile(Path file) {
    this.file = file;
  }

  private record ServerAddressContent(String url, long pid, Optional<Instant> started) {
    /** Returns whether the writing process is alive; its id may have been reused. */
    boolean isProcessAlive() {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .filter(process -> started.isEmpty() || started.equals(startTime(process)))
          .isPresent();
    }

    static Optional<Instant> startTime(ProcessHandle process) {
      return process.info().startInstant();
    }
  }

  /** Writes the file for this process, which serves the store in the directory. */
  public static ServerAddressFile write(Path directory, URI address) throws IOException {
    Path file = directory.resolve(NAME);
    Path draft = Files.createTempFile(directory, NAME, ".tmp"); // readable by its owner only
    try {
      ProcessHandle here = ProcessHandle.current();
      Files.write(
          draft,
          Json.bytes(
              new ServerAddressContent(
                  address.toString(), here.pid(), ServerAddressContent.startTime(here))));
      moveAtomically(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
    return new ServerAddressFile(file);
  }

  private static void moveAtomically(Path draft, Path file) throws IOException {
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Returns the address of the server for the store in the directory, if its process is alive and
   * listens there. The address must be on this machine and the file must belong to this user:
   * otherwise a copied directory could name any address, and the client would send keys to it.
   */
  public static Optional<URI> findTrusted(Path directory) throws IOException {
    return findAddress(directory, ServerAddressFile::isOwnedByCurrentUser);
  }

  /** Returns the address regardless of the file's owner: fit to display, never to connect to. */
  public static Optional<URI> findUntrusted(Path directory) throws IOException {
    return findAddress(directory, _ -> true);
  }

  private interface FileTrustCheck {
    boolean isTrusted(Path file) throws IOException;
  }

  private static Optional<URI> findAddress(Path directory, FileTrustCheck fileTrustCheck)
      throws IOException {
    try {
      Path file = directory.resolve(NAME);
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          || !fileTrustCheck.isTrusted(file)) {
        return Optional.empty();
      }
      ServerAddressContent serverAddressContent =
          Json.read(Files.readAllBytes(file), ServerAddressContent.class);
      return serverAddressContent.isProcessAlive()
          ? Optional.of(URI.create(serverAddressContent.url()))
              .filter(ServerAddressFile::isLocalAddress)
              .filter(ServerAddressFile::isListening)
          : Optional.empty();
    } catch (NoSuchFileException | AccessDeniedException _) {
      return Optional.empty();
    } catch (CaliberException | IllegalArgumentException _) {
      return Optional.empty(); // not written by this class
    }
  }

  private static boolean isOwnedByCurrentUser(Path file) throws IOException {
    return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(currentUser(file));
  }

  /**
   * Returns the current user by name, or, if the user is only a number as in some containers, the
   * owner of a new file.
   */
  private static UserPrincipal currentUser(Path near) throws IOException {
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

  private static boolean isLocalAddress(URI address) {
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
