package dev.caliber.models;

import java.util.Map;
import java.util.Optional;

/** A secret from the environment. It shows itself to the one header that needs it. */
final class ApiKey {

  private static final String HIDDEN = "***";

  private final String secret;

  private ApiKey(String secret) {
    this.secret = secret;
  }

  /** The key in that variable, which must be there and fit into a header. */
  static ApiKey from(String variable, Map<String, String> environment) {
    String secret =
        Optional.ofNullable(environment.get(variable))
            .map(String::strip)
            .filter(text -> !text.isEmpty())
            .orElseThrow(() -> ModelsException.keyMissing(variable));
    if (!secret.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw ModelsException.keyUnusable(variable);
    }
    return new ApiKey(secret);
  }

  /** The value of a header: what the protocol puts before the key, and the key. */
  String header(String before) {
    return before + secret;
  }

  /** The text with the key cut out. */
  String cutFrom(String text) {
    return text.replace(secret, HIDDEN);
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
