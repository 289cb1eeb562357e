/**
 * Policies and retention of a deployed configuration: triggers, runs and their steps. Start at
 * {@link PolicyRunStarter}.
 */
@NullMarked
package dev.caliber.memory.policy;

import org.jspecify.annotations.NullMarked;
