/**
 * A model with memory behind OpenAI's API: requests get what memory has to say to them, and what
 * was said is recorded. {@link ChatProxy} is the door; nothing of a web server is in here.
 */
@NullMarked
package dev.caliber.server.proxy;

import org.jspecify.annotations.NullMarked;
