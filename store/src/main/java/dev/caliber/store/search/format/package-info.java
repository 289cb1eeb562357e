/**
 * Layout of an index: its recipe and state, the fields of its documents, analysis of words, and
 * vectors. Start at {@link IndexFormatV1}.
 */
@NullMarked
package dev.caliber.store.search.format;

import org.jspecify.annotations.NullMarked;
