package dev.caliber.store.search.rank;

import java.util.List;

/**
 * Parsed text of a query: its subject, speakers and periods.
 *
 * @param words of the text, as the index holds them, without question words
 * @param speakers words of names, as the index holds them
 * @param subject the text without those names
 */
public record ParsedQuery(
    List<String> words, List<String> speakers, String subject, List<MentionedPeriod> periods) {
  public ParsedQuery {
    words = List.copyOf(words);
    speakers = List.copyOf(speakers);
    periods = List.copyOf(periods);
  }
}
