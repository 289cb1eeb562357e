package dev.caliber.lang.pack.check;

import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.diagnostic.SourceSpanLocator;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.PackSource;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;

/**
 * Checks that no file of a pack contains a secret: programs, contracts and all other files in the
 * directory are deployed with it. Prompts are checked where they are read.
 */
final class FileSecretCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var others = new HashSet<>(parsedPack.source().paths());
    others.remove(PackSource.MANIFEST);
    others.remove(PackSource.LOCK);
    others.removeAll(parsedPack.prompts().agents().keySet());
    others.removeAll(parsedPack.prompts().tools().keySet());
    others.forEach(path -> check(text(parsedPack.source(), path), path, packDiagnostics));
  }

  /** Returns the text of a file, or the bytes of a file that is not UTF-8: keys are ASCII. */
  private static String text(PackSource source, String path) {
    return source
        .text(path)
        .orElseGet(
            () -> new String(source.bytes(path).orElse(new byte[0]), StandardCharsets.ISO_8859_1));
  }

  private static void check(String text, String path, PackDiagnostics packDiagnostics) {
    if (!SecretScanner.find(text).isEmpty()) {
      SecretScanner.report(text, new SourceSpanLocator(text), packDiagnostics.inFile(path));
    }
  }
}
