package dev.caliber.models;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/** What the status of an answer means, whatever was asked. */
record HttpAnswers(String provider, Optional<ApiKey> key, InstantSource clock) {

  private static final int SUCCESS = 200;
  private static final int REDIRECT = 300;
  private static final int RATE_LIMITED = 429;
  private static final int SERVER_FAULT = 500;
  private static final Set<Integer> ABOUT_THE_TEXTS = Set.of(400, 413, 422);
  private static final Set<Integer> ABOUT_THE_KEY = Set.of(401, 403);
  private static final Set<Integer> PASSING = Set.of(408, 425);

  /** The body, if the server did what it was asked to. */
  byte[] successful(HttpPost.Answer response) {
    int status = response.status();
    if (status < SUCCESS || status >= REDIRECT) {
      throw refusal(response);
    }
    return response.body();
  }

  private ModelsException refusal(HttpPost.Answer response) {
    int status = response.status();
    var pause = RetryAfter.of(response.headers(), clock);
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
      return ModelsException.requestRefused(provider, status, ": check the key and its rights");
    }
    return ABOUT_THE_TEXTS.contains(status)
        ? ModelsException.inputRefused(provider, status, said(response.body()))
        : ModelsException.requestRefused(provider, status, said(response.body()));
  }

  private String said(byte[] body) {
    return ProviderWords.of(body).map(words -> ": " + shown(words)).orElse("");
  }

  /** The key is cut out first: half of one, at the end of what is shown, would not be known. */
  String shown(String words) {
    return ProviderWords.shown(key.map(secret -> secret.cutFrom(words)).orElse(words));
  }
}
