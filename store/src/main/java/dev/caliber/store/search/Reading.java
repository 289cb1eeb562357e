package dev.caliber.store.search;

import java.util.List;

/**
 * What a query says: about what, who spoke, and when.
 *
 * @param words of the text, as the index holds them, without those that only ask
 * @param speakers words of names, as the index holds them
 * @param subject the text without those names
 */
record Reading(List<String> words, List<String> speakers, String subject, List<Period> periods) {
  Reading {
    words = List.copyOf(words);
    speakers = List.copyOf(speakers);
    periods = List.copyOf(periods);
  }
}
