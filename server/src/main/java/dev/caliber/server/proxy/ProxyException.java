package dev.caliber.server.proxy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.store.spi.Embedding;

/** An error of the proxy itself. */
@SuppressWarnings("serial") // never serialised
final class ProxyException extends CaliberException {
  private ProxyException(ErrorCode code, String message, String advice) {
    super(code, message, advice);
  }

  private static ProxyException of(ProxyErrorCode code, String message) {
    return new ProxyException(code, message, code.advice());
  }

  static ProxyException notConfigured() {
    return of(ProxyErrorCode.MODEL_NOT_CONFIGURED, "No chat model is configured for this request");
  }

  static ProxyException noEmbedder() {
    return new ProxyException(
        ProxyErrorCode.MODEL_NOT_CONFIGURED,
        "No embedding model is configured",
        "Set models.provider in caliber.toml.");
  }

  static ProxyException unknownModel(String wanted, String there) {
    return of(
        ProxyErrorCode.MODEL_NOT_FOUND,
        "Unknown embedding model '%s'; this server has '%s'".formatted(wanted, there));
  }

  static ProxyException keyRefused(int status) {
    return of(
        ProxyErrorCode.MODEL_API_KEY_REJECTED,
        "The model's server refused the proxy's own key with status %d".formatted(status));
  }

  static ProxyException invalidAnswer(String wanted, String found) {
    return of(
        ProxyErrorCode.INVALID_RESPONSE,
        "Expected %s from the model's server, found %s".formatted(wanted, found));
  }

  static ProxyException embeddingFailed(Embedding.Failure failure) {
    return new ProxyException(failure.code(), failure.message(), "");
  }
}
