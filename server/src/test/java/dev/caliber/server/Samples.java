package dev.caliber.server;

import dev.caliber.kernel.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/** Sources and packs for requests. */
@NullMarked
final class Samples {
  static final String SOURCE =
      """
      caliber: "0.1.0" {
        memory note {
          type: semantic
          schema: {
            note_id: uuid
          }
          retention: persistent
        }
        policy told {
          on task_end: [notify("told")]
        }
      }
      """;

  private static final String BOUNDARY = "boundary-of-parts";

  private Samples() {}

  /** Returns a source that differs from those with other numbers. */
  static String source(int number) {
    return SOURCE.replace("memory note", "memory note_" + number);
  }

  static String json(String text) {
    return Json.text(text);
  }

  /** Returns the smallest pack, each file as a field named by its path. */
  static HttpRequest.Builder pack(TestServer server, String path) {
    Path pack = Path.of(System.getProperty("caliber.root"), "lang/src/test/resources/pack_min");
    return server
        .request(path)
        .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
        .POST(BodyPublishers.ofByteArray(form(pack)));
  }

  private static byte[] form(Path pack) {
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    try (var files = Files.walk(pack)) {
      List<Path> all = files.filter(Files::isRegularFile).sorted().toList();
      for (Path file : all) {
        String name = pack.relativize(file).toString();
        write(
            form,
            "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n\r\n"
                .formatted(BOUNDARY, name, file.getFileName()));
        form.write(Files.readAllBytes(file));
        write(form, "\r\n");
      }
      write(form, "--%s--\r\n".formatted(BOUNDARY));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return form.toByteArray();
  }

  private static void write(ByteArrayOutputStream form, String text) throws IOException {
    form.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
