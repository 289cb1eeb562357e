package dev.caliber.bench;

import dev.caliber.store.Table;
import dev.caliber.store.search.Searchable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One unit that can be found: a turn, a message, an abstract.
 *
 * @param id of the data set
 * @param session what contains it
 * @param position its place there
 * @param links the ids of others that it points to
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

  EvalDocument linking(List<String> others) {
    return new EvalDocument(id, speaker, title, text, session, position, time, others);
  }

  /** As it is stored: the key keeps the order of the data set, whatever its ids look like. */
  record Stored(String key, EvalDocument document, List<String> links) {
    Stored {
      links = List.copyOf(links);
    }

    static final Table<Stored> TABLE =
        Table.of("document", "Documents of a data set for evaluation.", Stored.class, Stored::key);

    static final Searchable<Stored> SEARCHABLE =
        Searchable.of(TABLE)
            .body(stored -> stored.document.text)
            .title(stored -> stored.document.title.orElse(null))
            .speaker(stored -> stored.document.speaker.orElse(null))
            .embedded(stored -> stored.document.embedded())
            .within(stored -> stored.document.session.orElse(null))
            .position(stored -> stored.document.position)
            .links(TABLE, Stored::links)
            .at(stored -> stored.document.time.orElse(null));
  }

  /** Speaker, title and text, as a reader would see them. */
  private String embedded() {
    return Stream.of(speaker.map(name -> name + ": " + text).orElse(text))
        .flatMap(body -> Stream.concat(title.stream(), Stream.of(body)))
        .collect(Collectors.joining("\n"));
  }
}
