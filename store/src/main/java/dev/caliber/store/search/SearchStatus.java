package dev.caliber.store.search;

import dev.caliber.kernel.SpaceId;
import java.util.Optional;

/**
 * Status of a space's index.
 *
 * @param applied the last commit that it holds
 * @param head the space's last commit
 * @param backlog documents that still wait for vectors
 * @param failed documents whose text cannot be embedded
 * @param vectors chunks of text with a vector
 * @param bytes on disk; 0 in memory
 * @param building the index that is being built beside it
 */
public record SearchStatus(
    SpaceId space,
    String generation,
    long applied,
    long head,
    long documents,
    long vectors,
    long backlog,
    long failed,
    long bytes,
    Optional<String> model,
    Optional<String> building,
    Optional<String> degraded) {}
