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
    return of(
        ProxyErrorCode.MODEL_NOT_CONFIGURED,
        "The proxy cannot answer: no chat model is configured (server.proxy.endpoint)");
  }

  static ProxyException noEmbedder() {
    return new ProxyException(
        ProxyErrorCode.MODEL_NOT_CONFIGURED,
        "The texts cannot be embedded: no embedding model is configured",
        "Set models.provider in caliber.toml.");
  }

  static ProxyException unknownModel(String wanted, String there) {
    return of(
        ProxyErrorCode.MODEL_NOT_FOUND,
        "There is no embedding model '%s' on this server; the server has '%s'"
            .formatted(wanted, there));
  }

  static ProxyException keyRefused(int status) {
    return of(
        ProxyErrorCode.MODEL_API_KEY_REJECTED,
        "The model server refused the API key of the proxy with status %d".formatted(status));
  }

  static ProxyException invalidAnswer(String wanted, String found) {
    return of(
        ProxyErrorCode.INVALID_RESPONSE,
        "The answer of the model server cannot be used: expected %s, found %s"
            .formatted(wanted, found));
  }

  static ProxyException embeddingFailed(Embedding.Failure failure) {
    return new ProxyException(failure.code(), failure.message(), "");
  }
}
