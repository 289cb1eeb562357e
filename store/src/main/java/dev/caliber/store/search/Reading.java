package dev.caliber.store.search;

import java.util.List;

/**
 * What a query says besides its subject: who spoke, and when.
 *
 * @param speakers words of names, as the index holds them
 * @param subject the text without those names
 */
record Reading(List<String> speakers, String subject, List<Period> periods) {
  Reading {
    speakers = List.copyOf(speakers);
    periods = List.copyOf(periods);
  }
}
