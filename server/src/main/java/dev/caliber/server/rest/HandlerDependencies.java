package dev.caliber.server.rest;

import dev.caliber.server.access.RequestLimiter;

/** The dependencies of all handlers: authentication, request limits and body reading. */
record HandlerDependencies(
    HttpAuthenticator authenticator, RequestLimiter requestLimiter, RequestBodyReader bodyReader) {}
