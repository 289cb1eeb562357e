package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFileTest {
  @TempDir Path directory;

  @Test
  @DisplayName("a server of this machine is found while its file is there")
  void findsItsServer() throws IOException {
    URI address = URI.create("http://127.0.0.1:7700");
    try (ServerFile _ = ServerFile.write(directory, address)) {
      assertThat(ServerFile.find(directory)).contains(address);
    }
    assertThat(ServerFile.find(directory)).isEmpty();
  }

  @Test
  @DisplayName("a file that somebody brought along cannot name another machine")
  void believesThisMachineAlone() throws IOException {
    for (String url : new String[] {"http://192.0.2.1:80", "https://127.0.0.1", "file:///etc"}) {
      Files.writeString(
          directory.resolve("server.json"),
          "{\"url\": \"%s\", \"pid\": %d}".formatted(url, ProcessHandle.current().pid()));
      assertThat(ServerFile.find(directory)).as(url).isEmpty();
    }
  }
}
