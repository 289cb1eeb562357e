/**
 * Proof that acknowledged commits survive, whatever happens to the process, the server or the
 * power. Start at {@link CrashDrill}.
 */
@NullMarked
package dev.caliber.testkit.crash;

import org.jspecify.annotations.NullMarked;
