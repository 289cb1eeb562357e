package dev.caliber.memory;

/**
 * Ends what nobody works on any more: trajectories of agents that saw nothing for {@code
 * memory.recovery.orphan-after}, and scopes beside the current one in which nothing was said for as
 * long. Sessions, which people or other systems come back to, may rest as long as they like. One
 * trajectory, with all that ends with it, and at most a batch of scopes in one commit.
 */
public record SweepOrphans() implements Command<Orphans> {}
