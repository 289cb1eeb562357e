/**
 * Output formats of a window: Markdown, XML, messages of providers, and the format of trust. Start
 * at {@link WindowRenderer}.
 */
@NullMarked
package dev.caliber.memory.context.render;

import org.jspecify.annotations.NullMarked;
