/**
 * Integrity of contexts: validation, checkpoints with their ledgers, recovery, dosage, lint, and
 * debug views. Start at {@link dev.caliber.memory.pcp.ContextIntegrity}.
 * docs/decisions/0041-checkpoints-and-recovery.md says why.
 */
@NullMarked
package dev.caliber.memory.pcp;

import org.jspecify.annotations.NullMarked;
