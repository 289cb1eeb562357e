package dev.caliber.models;

import java.util.Map;
import java.util.Optional;

/** Secret from the environment, disclosed only to the one header that needs it. */
final class ProviderApiKey {

  private static final String HIDDEN = "***";

  private final String secret;

  private ProviderApiKey(String secret) {
    this.secret = secret;
  }

  /** Returns the key in that variable, which must exist and fit into a header. */
  static ProviderApiKey from(String variable, Map<String, String> environment) {
    String secret =
        Optional.ofNullable(environment.get(variable))
            .map(String::strip)
            .filter(text -> !text.isEmpty())
            .orElseThrow(() -> ModelsException.keyMissing(variable));
    if (!secret.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw ModelsException.keyUnusable(variable);
    }
    return new ProviderApiKey(secret);
  }

  /** Returns the value of a header: the protocol's prefix and the key. */
  String headerValue(String before) {
    return before + secret;
  }

  /** Returns the text without the key. */
  String removeFrom(String text) {
    return text.replace(secret, HIDDEN);
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
