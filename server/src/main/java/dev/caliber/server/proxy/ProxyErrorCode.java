package dev.caliber.server.proxy;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** The errors of the proxy itself. */
enum ProxyErrorCode implements ErrorCode {
  MODEL_NOT_CONFIGURED(
      ErrorKind.NOT_FOUND,
      "Set server.proxy.endpoint in caliber.toml to a server that speaks OpenAI's API, and list its"
          + " host in models.egress."),
  MODEL_NOT_FOUND(ErrorKind.NOT_FOUND, "Use a model from the answer of GET /v1/models."),
  MODEL_API_KEY_REJECTED(
      ErrorKind.INTERNAL,
      "Check the API key in the environment variable that server.proxy.key-variable names."),
  INVALID_RESPONSE(
      ErrorKind.INTERNAL,
      "Check that the server at server.proxy.endpoint speaks OpenAI's API of chat completions.");

  private final ErrorTraits traits;

  ProxyErrorCode(ErrorKind kind, String... advice) {
    this.traits = ErrorTraits.of(ErrorFamily.LLM, kind, advice);
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
