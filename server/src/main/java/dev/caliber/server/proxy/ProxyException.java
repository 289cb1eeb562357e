package dev.caliber.server.proxy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.store.spi.Embedding;

/** What the proxy refused. */
@SuppressWarnings("serial") // never serialised
final class ProxyException extends CaliberException {
  private ProxyException(ErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  private static ProxyException of(ProxyErrorCode code, String message) {
    return new ProxyException(code, message, code.advice());
  }

  static ProxyException notConfigured() {
    return of(
        ProxyErrorCode.MODEL_NOT_CONFIGURED,
        "No model is configured that this request could be forwarded to");
  }

  static ProxyException noEmbedder() {
    return new ProxyException(
        ProxyErrorCode.MODEL_NOT_CONFIGURED,
        "No model is configured that turns texts into vectors",
        "Set models.provider in caliber.toml.");
  }

  static ProxyException unknownModel(String wanted, String there) {
    return of(
        ProxyErrorCode.MODEL_UNKNOWN,
        "There is no embedding model '%s' here, only '%s'".formatted(wanted, there));
  }

  static ProxyException keyRefused(int status) {
    return of(
        ProxyErrorCode.MODEL_KEY_REFUSED,
        "The model's server refused the proxy's own key with status %d".formatted(status));
  }

  static ProxyException invalidAnswer(String wanted, String found) {
    return of(ProxyErrorCode.ANSWER_INVALID, "Wanted %s, found %s".formatted(wanted, found));
  }

  static ProxyException notEmbedded(Embedding.Failure failure) {
    return new ProxyException(failure.code(), failure.message(), "");
  }
}
