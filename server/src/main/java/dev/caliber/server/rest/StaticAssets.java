package dev.caliber.server.rest;

import dev.caliber.client.ApiDefinitions;
import dev.caliber.kernel.FieldHash;
import dev.caliber.studio.StudioFiles;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The public files: the contract, and the pages of Studio. */
final class StaticAssets {
  private static final String FILE = "file";

  private final byte[] contract = ApiDefinitions.openApi();
  private final Map<String, CachedAsset> cache = new ConcurrentHashMap<>();

  /** A file and the hash of its content. */
  private record CachedAsset(StudioFiles.StudioFile file, String etag) {
    static CachedAsset of(StudioFiles.StudioFile studioFile) {
      return new CachedAsset(
          studioFile, '"' + FieldHash.hex(FieldHash.sha256(studioFile.bytes())) + '"');
    }
  }

  void servePage(Context context) {
    serve(context, StudioFiles.PAGE);
  }

  void serveFile(Context context) {
    serve(context, context.pathParam(FILE));
  }

  /**
   * Serves a file; a browser revalidates its copy each time, so that a new version shows at once.
   */
  private void serve(Context context, String name) {
    CachedAsset found = findAsset(name);
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

  /** Returns an existing file from the cache, which clients cannot fill with other names. */
  private CachedAsset findAsset(String name) {
    CachedAsset known = cache.get(name);
    if (known != null) {
      return known;
    }
    CachedAsset read =
        StudioFiles.find(name).map(CachedAsset::of).orElseThrow(NotFoundResponse::new);
    cache.put(name, read);
    return read;
  }

  void serveContract(Context context) {
    context.contentType("application/yaml").result(contract);
  }
}
