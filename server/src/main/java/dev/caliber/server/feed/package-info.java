/** The change feed as clients of every protocol receive it. Start at {@link FeedEvent}. */
@NullMarked
package dev.caliber.server.feed;

import org.jspecify.annotations.NullMarked;
