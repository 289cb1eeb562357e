package dev.caliber.server.mcp;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Notes as the reference memory server shows them, with its names. */
record Graph(List<Entity> entities, List<Relation> relations) {
  Graph {
    entities = List.copyOf(entities);
    relations = List.copyOf(relations);
  }

  /** Something that is known, and what is known of it. */
  record Entity(
      String name, @JsonProperty("entityType") String entityType, List<String> observations) {
    Entity {
      observations = List.copyOf(observations);
    }

    private boolean says(Set<String> words) {
      List<String> texts =
          Stream.concat(Stream.of(name, entityType), observations.stream())
              .map(text -> text.toLowerCase(Locale.ROOT))
              .toList();
      return words.stream().allMatch(word -> texts.stream().anyMatch(text -> text.contains(word)));
    }
  }

  /** How one thing stands to another. */
  record Relation(String from, String to, @JsonProperty("relationType") String relationType) {}

  /** The entities that pass, and all relations that one of them is part of. */
  Graph keeping(Predicate<Entity> passes) {
    List<Entity> some = entities.stream().filter(passes).toList();
    Set<String> names = some.stream().map(Entity::name).collect(Collectors.toSet());
    List<Relation> theirs = new ArrayList<>();
    for (Relation relation : relations) {
      if (names.contains(relation.from()) || names.contains(relation.to())) {
        theirs.add(relation);
      }
    }
    return new Graph(some, theirs);
  }

  /** Those in which every word of the query occurs somewhere. */
  Graph search(String query) {
    Set<String> words =
        new HashSet<>(List.of(query.strip().toLowerCase(Locale.ROOT).split("\\s+", -1)));
    return keeping(entity -> entity.says(words));
  }
}
