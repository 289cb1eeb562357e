package dev.caliber.server.mcp;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.ErrorTraits;

/** The errors of the protocol itself, with the numbers of its specification. */
enum McpErrorCode implements ErrorCode {
  PARSE_ERROR(McpConstants.PARSE_ERROR, ErrorKind.INVALID),
  INVALID_REQUEST(McpConstants.INVALID_REQUEST, ErrorKind.INVALID),
  METHOD_NOT_FOUND(McpConstants.METHOD_NOT_FOUND, ErrorKind.NOT_FOUND),
  INVALID_PARAMS(McpConstants.INVALID_PARAMS, ErrorKind.INVALID),
  INTERNAL_ERROR(McpConstants.INTERNAL_ERROR, ErrorKind.INTERNAL),
  RESOURCE_NOT_FOUND(McpConstants.RESOURCE_NOT_FOUND, ErrorKind.NOT_FOUND),
  HEADER_MISMATCH(McpConstants.HEADER_MISMATCH, ErrorKind.INVALID),
  UNSUPPORTED_PROTOCOL_VERSION(McpConstants.UNSUPPORTED_PROTOCOL_VERSION, ErrorKind.INVALID);

  private final int number;
  private final ErrorTraits traits;

  McpErrorCode(int number, ErrorKind kind) {
    this.number = number;
    this.traits = ErrorTraits.of(ErrorFamily.VALIDATION, kind);
  }

  /** The number in JSON-RPC. */
  int jsonRpcCode() {
    return number;
  }

  @Override
  public ErrorTraits traits() {
    return traits;
  }
}
