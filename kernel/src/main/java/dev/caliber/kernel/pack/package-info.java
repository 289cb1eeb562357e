/**
 * What a pack says beside its compiled configuration: agents, tools, profiles, providers and
 * prompts, as plain immutable records that every room reads and none writes. Start at {@link
 * dev.caliber.kernel.pack.Pack}; the composer that makes one is in the room {@code lang}.
 */
@NullMarked
package dev.caliber.kernel.pack;

import org.jspecify.annotations.NullMarked;
