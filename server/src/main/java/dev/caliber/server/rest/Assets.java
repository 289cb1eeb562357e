package dev.caliber.server.rest;

import dev.caliber.client.Contract;
import dev.caliber.kernel.Hashing;
import dev.caliber.studio.StudioFiles;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The files that anybody may have: the contract, and the pages of Studio. */
final class Assets {
  private static final String FILE = "file";

  private final byte[] contract = Contract.openApi();
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  /** A file and the name of its present content. */
  private record Kept(StudioFiles.File file, String etag) {
    static Kept of(StudioFiles.File file) {
      return new Kept(file, '"' + Hashing.hex(Hashing.sha256(file.bytes())) + '"');
    }
  }

  void page(Context context) {
    answer(context, StudioFiles.PAGE);
  }

  void file(Context context) {
    answer(context, context.pathParam(FILE));
  }

  /**
   * A browser asks each time whether its copy is still the right one: a new version shows at once.
   */
  private void answer(Context context, String name) {
    Kept found = found(name);
    context
        .header("Content-Security-Policy", StudioFiles.POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .header("Cache-Control", "no-cache")
        .header("ETag", found.etag());
    if (found.etag().equals(context.header("If-None-Match"))) {
      context.status(HttpStatus.NOT_MODIFIED);
    } else {
      context.contentType(found.file().type()).result(found.file().bytes());
    }
  }

  /** Only what exists is kept, so that nobody can fill it. */
  private Kept found(String name) {
    Kept known = kept.get(name);
    if (known != null) {
      return known;
    }
    Kept read = StudioFiles.find(name).map(Kept::of).orElseThrow(NotFoundResponse::new);
    kept.put(name, read);
    return read;
  }

  void contract(Context context) {
    context.contentType("application/yaml").result(contract);
  }
}
