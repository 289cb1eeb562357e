package dev.caliber.lang.pack;

import java.util.stream.Stream;

/** Routing names providers that are declared. */
final class KnownProviders implements PackCheck {
  @Override
  public void run(Document document, Findings findings) {
    var referring = new Referring(document, findings);
    var routing = document.root().table(Manifest.ROUTING);
    Stream.of(
            routing.texts("providers").stream(),
            routing.text("embedding_provider").stream(),
            routing.text("summarization_provider").stream())
        .flatMap(providers -> providers)
        .forEach(provider -> referring.require(Manifest.PROVIDERS, "provider", provider));
  }
}
