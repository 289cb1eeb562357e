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

/** Notes in the JSON of the MCP reference memory server. */
record KnowledgeGraph(List<GraphEntity> entities, List<GraphRelation> relations) {
  KnowledgeGraph {
    entities = List.copyOf(entities);
    relations = List.copyOf(relations);
  }

  /** An entity and its observations. */
  record GraphEntity(
      String name, @JsonProperty("entityType") String entityType, List<String> observations) {
    GraphEntity {
      observations = List.copyOf(observations);
    }

    private boolean containsAll(Set<String> words) {
      List<String> texts =
          Stream.concat(Stream.of(name, entityType), observations.stream())
              .map(text -> text.toLowerCase(Locale.ROOT))
              .toList();
      return words.stream().allMatch(word -> texts.stream().anyMatch(text -> text.contains(word)));
    }
  }

  /** A named relation from one entity to another. */
  record GraphRelation(String from, String to, @JsonProperty("relationType") String relationType) {}

  /** Returns the entities that pass, and all relations that include one of them. */
  KnowledgeGraph filterEntities(Predicate<GraphEntity> passes) {
    List<GraphEntity> some = entities.stream().filter(passes).toList();
    Set<String> names = some.stream().map(GraphEntity::name).collect(Collectors.toSet());
    List<GraphRelation> theirs = new ArrayList<>();
    for (GraphRelation graphRelation : relations) {
      if (names.contains(graphRelation.from()) || names.contains(graphRelation.to())) {
        theirs.add(graphRelation);
      }
    }
    return new KnowledgeGraph(some, theirs);
  }

  /** Returns the entities in which every word of the query occurs. */
  KnowledgeGraph search(String query) {
    Set<String> words =
        new HashSet<>(List.of(query.strip().toLowerCase(Locale.ROOT).split("\\s+", -1)));
    return filterEntities(graphEntity -> graphEntity.containsAll(words));
  }
}
