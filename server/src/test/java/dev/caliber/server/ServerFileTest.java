package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFileTest {
  @TempDir Path directory;
  private ServerSocket listening;

  @BeforeEach
  void listen() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    listening.close();
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + listening.getLocalPort());
  }

  private void bring(String url, String more) throws IOException {
    Files.writeString(
        directory.resolve("server.json"),
        "{\"url\": \"%s\", \"pid\": %d%s}".formatted(url, ProcessHandle.current().pid(), more));
  }

  @Test
  @DisplayName("a server of this machine is found while its file is there")
  void findsItsServer() throws IOException {
    try (ServerAddressFile _ = ServerAddressFile.write(directory, address())) {
      assertThat(ServerAddressFile.findTrusted(directory)).contains(address());
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve("server.json"))))
          .isEqualTo("rw-------");
    }
    assertThat(ServerAddressFile.findTrusted(directory)).isEmpty();
    try (var left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  @DisplayName("a copied file cannot name another machine")
  void believesThisMachineAlone() throws IOException {
    for (String url :
        new String[] {"http://192.0.2.1:80", "file:///etc", "http://localhost:99999"}) {
      bring(url, "");
      assertThat(ServerAddressFile.findTrusted(directory)).as(url).isEmpty();
    }
  }

  @Test
  @DisplayName("a file of another user is not believed")
  void believesItsUserAlone() throws IOException {
    bring(address().toString(), "");
    assertThat(ServerAddressFile.findTrusted(directory)).contains(address());
    Path file = directory.resolve("server.json");
    UserPrincipal other =
        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("daemon");
    try {
      Files.setOwner(file, other);
    } catch (FileSystemException notRoot) {
      assertThat(notRoot).hasMessageContaining("not permitted"); // no attack either
      return;
    }
    assertThat(ServerAddressFile.findTrusted(directory)).isEmpty();
    assertThat(ServerAddressFile.findUntrusted(directory))
        .as("to say who holds the store")
        .contains(address());
  }

  @Test
  @DisplayName("a user with a name is recognised without a temporary file")
  void needsNoFileOfItsOwn() throws IOException {
    bring(address().toString(), "");
    String before = System.getProperty("java.io.tmpdir");
    System.setProperty("java.io.tmpdir", directory.resolve("nowhere").toString());
    try {
      assertThat(ServerAddressFile.findTrusted(directory)).contains(address());
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }

  @Test
  @DisplayName("another process with the number of one that was killed is not its server")
  void tellsProcessesApart() throws IOException {
    bring(address().toString(), "");
    assertThat(ServerAddressFile.findTrusted(directory)).contains(address());
    bring(address().toString(), ", \"started\": \"2001-01-01T00:00:00Z\"");
    assertThat(ServerAddressFile.findTrusted(directory)).isEmpty();
  }

  @Test
  @DisplayName("a file behind a link, or of a server that listens no more, is left alone")
  void listensOrIsNotThere() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    try (ServerAddressFile _ = ServerAddressFile.write(elsewhere, address())) {
      Files.createSymbolicLink(directory.resolve("server.json"), elsewhere.resolve("server.json"));
      assertThat(ServerAddressFile.findTrusted(directory)).isEmpty();
      listening.close();
      assertThat(ServerAddressFile.findTrusted(elsewhere)).isEmpty();
    }
  }
}
