/**
 * Deployed configurations: every version with its source, its tree and its compiled form in one
 * commit, one active version for each space, and the log of activations with their actors. Start at
 * {@link dev.caliber.memory.deployment.Deployments}; a running process reads the active one through
 * {@link dev.caliber.memory.deployment.ActiveConfigs}.
 */
@NullMarked
package dev.caliber.memory.deployment;

import org.jspecify.annotations.NullMarked;
