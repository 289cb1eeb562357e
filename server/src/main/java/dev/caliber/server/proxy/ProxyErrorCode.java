package dev.caliber.server.proxy;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** What the proxy itself refuses or reports. */
enum ProxyErrorCode implements ErrorCode {
  MODEL_NOT_CONFIGURED(
      ErrorKind.NOT_FOUND,
      "Set server.proxy.endpoint in caliber.toml to a server that speaks OpenAI's API, and list its"
          + " host in models.egress."),
  MODEL_UNKNOWN(ErrorKind.NOT_FOUND, "GET /v1/models lists what there is."),
  MODEL_KEY_REFUSED(ErrorKind.INTERNAL, "Check the variable that server.proxy.key-variable names."),
  ANSWER_INVALID(
      ErrorKind.INTERNAL, "Check that server.proxy.endpoint is one of OpenAI's chat completions.");

  private final ErrorKind kind;
  private final String advice;

  ProxyErrorCode(ErrorKind kind, String advice) {
    this.kind = kind;
    this.advice = advice;
  }

  String advice() {
    return advice;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.LLM;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
