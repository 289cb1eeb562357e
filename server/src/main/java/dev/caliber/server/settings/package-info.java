/** The {@code [server]} part of the configuration: {@link ServerConfig}. */
@NullMarked
package dev.caliber.server.settings;

import org.jspecify.annotations.NullMarked;
