package dev.caliber.memory.context;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Part;
import dev.caliber.memory.record.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What of a record is shown.
 *
 * @param attributes what is said of it beside its words, by name
 * @param day the day it is from; empty for what has none
 */
record Body(
    Optional<Role> role,
    List<Part> parts,
    SortedMap<String, String> attributes,
    Optional<Instant> day) {
  static final String ABOUT = "about";
  static final String NAME = "name";
  static final String SESSION = "session";

  Body {
    parts = List.copyOf(parts);
    attributes = new TreeMap<>(attributes);
  }

  static Body text(String text, SortedMap<String, String> attributes, Optional<Instant> day) {
    return new Body(Optional.empty(), List.of(Part.text(text)), attributes, day);
  }

  /** Its words, for shortening and likeness. */
  String words() {
    return parts.stream().map(Part::words).collect(Collectors.joining("\n"));
  }

  /** Whom it is about or who has said it, where it tells. */
  Optional<String> whose() {
    return Optional.ofNullable(attributes.get(ABOUT))
        .or(() -> Optional.ofNullable(attributes.get(NAME)));
  }

  /** Tool calls and results are never cut. */
  boolean isProse() {
    return parts.stream().allMatch(Part.Text.class::isInstance);
  }

  String hash() {
    return Hashing.fields("content")
        .each(role, (fields, said) -> fields.text(said.name()))
        .each(parts, Body::add)
        .each(
            attributes.entrySet(),
            (fields, said) -> fields.text(said.getKey()).text(said.getValue()))
        .each(day, Hashing.Fields::time)
        .hash();
  }

  private static void add(Hashing.Fields fields, Part part) {
    switch (part) {
      case Part.Text(var text) -> fields.text("text").text(text);
      case Part.ToolCall(var call, var tool, var arguments) ->
          fields.text("tool_call").text(call).text(tool).text(arguments);
      case Part.ToolResult(var call, var content, var failed) ->
          fields.text("tool_result").text(call).text(content).flag(failed);
      case Part.Data(var mediaType, var content) ->
          fields.text("data").text(mediaType).bytes(content.toArray());
    }
  }

  /** Whether this is what a ledger has the hash of; those of before hashed the JSON of it. */
  boolean has(String contentHash) {
    return hash().equals(contentHash) || Hashing.hash("body", Json.text(this)).equals(contentHash);
  }
}
