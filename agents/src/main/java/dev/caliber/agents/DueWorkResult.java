package dev.caliber.agents;

/**
 * Counts of the processed due work.
 *
 * @param failures agents that failed for lack of heartbeats
 * @param leases leases and queue entries that ended
 * @param messages messages that returned to their inbox, expired or became dead letters
 * @param oldMessages messages that were removed
 * @param delegations overdue delegations
 */
public record DueWorkResult(
    int failures, int leases, int messages, int oldMessages, int delegations) {}
