package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.SourcePlaces;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;

/**
 * No file of a pack holds a secret: programs, contracts and whatever else lies in the directory are
 * deployed with it. Prompts are looked at where they are read.
 */
final class FileSecrets implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var others = new HashSet<>(document.source().paths());
    others.remove(PackSource.MANIFEST);
    others.remove(PackSource.LOCK);
    others.removeAll(document.prompts().agents().keySet());
    others.removeAll(document.prompts().tools().keySet());
    others.forEach(path -> check(text(document.source(), path), path, findings));
  }

  /** Of a file that is not UTF-8, its bytes: keys are of ASCII. */
  private static String text(PackSource source, String path) {
    return source
        .text(path)
        .orElseGet(
            () -> new String(source.bytes(path).orElse(new byte[0]), StandardCharsets.ISO_8859_1));
  }

  private static void check(String text, String path, Findings findings) {
    if (!Secrets.find(text).isEmpty()) {
      Secrets.report(text, new SourcePlaces(text), findings.in(path));
    }
  }
}
