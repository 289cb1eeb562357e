/** The change feed as clients are told of it, by whatever protocol. Start at {@link FeedEvent}. */
@NullMarked
package dev.caliber.server.feed;

import org.jspecify.annotations.NullMarked;
