/**
 * What keeps contexts sound: validation, checkpoints with their ledgers, recovery, dosage, lint,
 * and a look at what happened. Start at {@link dev.caliber.memory.pcp.Guardian}.
 * docs/decisions/0041-pcp.md says why.
 */
@NullMarked
package dev.caliber.memory.pcp;

import org.jspecify.annotations.NullMarked;
