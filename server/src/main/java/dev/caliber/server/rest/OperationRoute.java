package dev.caliber.server.rest;

import io.javalin.http.HandlerType;

/** A path and its operation; path parameters are properties of the input. */
public record OperationRoute(HandlerType method, String path, String operation) {
  /** Returns whether the input is in the path and the query; else it is the body. */
  public boolean isRead() {
    return method.equals(HandlerType.GET);
  }

  static OperationRoute get(String path, String operation) {
    return new OperationRoute(HandlerType.GET, path, operation);
  }

  static OperationRoute post(String path, String operation) {
    return new OperationRoute(HandlerType.POST, path, operation);
  }
}
