package dev.caliber.bench.eval;

import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One unit of search: a turn, a message, an abstract.
 *
 * @param id the id in the data set
 * @param session the session that contains it
 * @param position its position there
 * @param links the ids of documents that it points to
 */
record EvalDocument(
    String id,
    Optional<String> speaker,
    Optional<String> title,
    String text,
    Optional<String> session,
    long position,
    Optional<Instant> time,
    List<String> links) {

  EvalDocument {
    links = List.copyOf(links);
  }

  static EvalDocument plain(String id, Optional<String> title, String text) {
    return new EvalDocument(
        id, Optional.empty(), title, text, Optional.empty(), 0, Optional.empty(), List.of());
  }

  EvalDocument withLinks(List<String> others) {
    return new EvalDocument(id, speaker, title, text, session, position, time, others);
  }

  /** A document as stored: its key keeps the order of the data set, whatever its ids are. */
  record StoredEvalDocument(String key, EvalDocument document, List<String> links) {
    StoredEvalDocument {
      links = List.copyOf(links);
    }

    static final Table<StoredEvalDocument> TABLE =
        Table.of(
            "document",
            "Documents of a data set for evaluation.",
            StoredEvalDocument.class,
            StoredEvalDocument::key);

    static final Searchable<StoredEvalDocument> SEARCHABLE =
        Searchable.of(TABLE)
            .body(storedEvalDocument -> storedEvalDocument.document.text)
            .title(storedEvalDocument -> storedEvalDocument.document.title.orElse(null))
            .speaker(storedEvalDocument -> storedEvalDocument.document.speaker.orElse(null))
            .embedded(storedEvalDocument -> storedEvalDocument.document.embeddedText())
            .group(storedEvalDocument -> storedEvalDocument.document.session.orElse(null))
            .position(storedEvalDocument -> storedEvalDocument.document.position)
            .links(TABLE, StoredEvalDocument::links)
            .documentTime(storedEvalDocument -> storedEvalDocument.document.time.orElse(null));
  }

  /** Returns speaker, title and text, as a reader would see them. */
  private String embeddedText() {
    return Stream.of(speaker.map(name -> name + ": " + text).orElse(text))
        .flatMap(body -> Stream.concat(title.stream(), Stream.of(body)))
        .collect(Collectors.joining("\n"));
  }
}
