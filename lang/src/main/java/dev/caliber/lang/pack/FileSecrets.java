package dev.caliber.lang.pack;

import dev.caliber.lang.diagnostic.SourcePlaces;
import dev.caliber.lang.prompt.Secrets;
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
    others.forEach(
        path -> document.source().text(path).ifPresent(text -> check(text, path, findings)));
  }

  private static void check(String text, String path, Findings findings) {
    if (!Secrets.find(text).isEmpty()) {
      Secrets.report(text, new SourcePlaces(text), findings.in(path));
    }
  }
}
