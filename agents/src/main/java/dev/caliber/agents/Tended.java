package dev.caliber.agents;

/**
 * What was seen to, each kind by its number.
 *
 * @param failures agents that nobody has heard of for too long
 * @param leases leases and places in queues that ended
 * @param messages messages that went back to their inbox, expired or are dead letters now
 * @param oldMessages messages that were removed
 * @param delegations work that was late
 */
public record Tended(int failures, int leases, int messages, int oldMessages, int delegations) {}
