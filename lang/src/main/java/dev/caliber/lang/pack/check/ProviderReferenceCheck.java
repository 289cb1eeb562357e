package dev.caliber.lang.pack.check;

import dev.caliber.lang.pack.manifest.Manifest;
import dev.caliber.lang.pack.manifest.PackDiagnostics;
import dev.caliber.lang.pack.manifest.ParsedPack;
import java.util.stream.Stream;

/** Checks that routing names declared providers. */
final class ProviderReferenceCheck implements PackCheck {
  @Override
  public void run(ParsedPack parsedPack, PackDiagnostics packDiagnostics) {
    var referenceDiagnostics = new ReferenceDiagnostics(parsedPack, packDiagnostics);
    var routing = parsedPack.root().table(Manifest.ROUTING);
    Stream.of(
            routing.texts("providers").stream(),
            routing.text("embedding_provider").stream(),
            routing.text("summarization_provider").stream())
        .flatMap(providers -> providers)
        .forEach(
            provider ->
                referenceDiagnostics.requireKnown(Manifest.PROVIDERS, "provider", provider));
  }
}
