package dev.caliber.models;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/** Check of the status of a response, for all requests. */
record HttpResponseChecker(String provider, Optional<ProviderApiKey> key, InstantSource clock) {

  private static final int SUCCESS = 200;
  private static final int REDIRECT = 300;
  private static final int RATE_LIMITED = 429;
  private static final int SERVER_FAULT = 500;
  private static final Set<Integer> ABOUT_THE_TEXTS = Set.of(400, 413, 422);
  private static final Set<Integer> ABOUT_THE_KEY = Set.of(401, 403);
  private static final Set<Integer> PASSING = Set.of(408, 425);

  /** Returns the body, or throws if the status is an error. */
  byte[] requireSuccess(HttpPost.HttpPostResponse response) {
    int status = response.status();
    if (status < SUCCESS || status >= REDIRECT) {
      throw refusal(response);
    }
    return response.body();
  }

  private ModelsException refusal(HttpPost.HttpPostResponse response) {
    int status = response.status();
    var pause = RetryAfterHeader.requestedPause(response.headers(), clock);
    if (status == RATE_LIMITED) {
      return ModelsException.rateLimited(provider, pause);
    }
    if (status == SERVER_FAULT) {
      return ModelsException.serverFault(provider, status, pause);
    }
    if (status > SERVER_FAULT || PASSING.contains(status)) {
      return ModelsException.requestFailed(provider, status, pause);
    }
    if (ABOUT_THE_KEY.contains(status)) {
      return ModelsException.requestRefused(provider, status, ": check the API key and its rights");
    }
    return ABOUT_THE_TEXTS.contains(status)
        ? ModelsException.inputRefused(provider, status, providerMessage(response.body()))
        : ModelsException.requestRefused(provider, status, providerMessage(response.body()));
  }

  private String providerMessage(byte[] body) {
    return ProviderErrorText.extractMessage(body)
        .map(words -> ": " + displayText(words))
        .orElse("");
  }

  /**
   * Returns the text without the key, then shortened: after shortening, half a key at the end would
   * not be recognised.
   */
  String displayText(String words) {
    return ProviderErrorText.singleLine(key.map(secret -> secret.removeFrom(words)).orElse(words));
  }
}
