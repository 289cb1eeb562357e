/**
 * Parts of a pack beside its compiled configuration: agents, tools, profiles, providers and
 * prompts, as plain immutable records that every module reads and none writes. Start at {@link
 * dev.caliber.kernel.pack.Pack}; the composer that makes one is in the module {@code lang}.
 */
@NullMarked
package dev.caliber.kernel.pack;

import org.jspecify.annotations.NullMarked;
