package dev.caliber.server.operation;

import dev.caliber.kernel.SpaceId;

/**
 * Who asks.
 *
 * @param actor as the audit log shows it
 * @param space where the request is about
 */
public record Caller(String actor, SpaceId space, Right right) {}
