package dev.caliber.server.rest;

import io.javalin.http.HandlerType;

/** One path and the operation behind it; parameters of the path are properties of its input. */
record Route(HandlerType method, String path, String operation) {
  static Route get(String path, String operation) {
    return new Route(HandlerType.GET, path, operation);
  }

  static Route post(String path, String operation) {
    return new Route(HandlerType.POST, path, operation);
  }
}
