package dev.caliber.server.mcp;

import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.ErrorFamily;
import dev.caliber.kernel.ErrorKind;

/** What the protocol itself refuses, with the numbers that its specification gives. */
enum McpErrorCode implements ErrorCode {
  PARSE_ERROR(McpFormat.PARSE_ERROR, ErrorKind.INVALID),
  INVALID_REQUEST(McpFormat.INVALID_REQUEST, ErrorKind.INVALID),
  METHOD_NOT_FOUND(McpFormat.METHOD_NOT_FOUND, ErrorKind.NOT_FOUND),
  INVALID_PARAMS(McpFormat.INVALID_PARAMS, ErrorKind.INVALID),
  INTERNAL_ERROR(McpFormat.INTERNAL_ERROR, ErrorKind.INTERNAL),
  RESOURCE_NOT_FOUND(McpFormat.RESOURCE_NOT_FOUND, ErrorKind.NOT_FOUND),
  HEADER_MISMATCH(McpFormat.HEADER_MISMATCH, ErrorKind.INVALID),
  UNSUPPORTED_PROTOCOL_VERSION(McpFormat.UNSUPPORTED_PROTOCOL_VERSION, ErrorKind.INVALID);

  private final int number;
  private final ErrorKind kind;

  McpErrorCode(int number, ErrorKind kind) {
    this.number = number;
    this.kind = kind;
  }

  /** As JSON-RPC says it. */
  int number() {
    return number;
  }

  @Override
  public ErrorFamily family() {
    return ErrorFamily.VALIDATION;
  }

  @Override
  public ErrorKind kind() {
    return kind;
  }
}
