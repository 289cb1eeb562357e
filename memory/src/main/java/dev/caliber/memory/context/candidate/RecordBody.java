package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Json;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Content of a record as shown.
 *
 * @param attributes attributes shown besides the text, by name
 * @param day the day of the record; empty if it has none
 */
public record RecordBody(
    Optional<TurnRole> role,
    List<TurnPart> parts,
    SortedMap<String, String> attributes,
    Optional<Instant> day) {
  static final String ABOUT = "about";
  public static final String NAME = "name";
  static final String SESSION = "session";

  public RecordBody {
    parts = List.copyOf(parts);
    attributes = new TreeMap<>(attributes);
  }

  public static RecordBody ofText(
      String text, SortedMap<String, String> attributes, Optional<Instant> day) {
    return new RecordBody(Optional.empty(), List.of(TurnPart.text(text)), attributes, day);
  }

  /** Returns its text, for shortening and similarity. */
  public String plainText() {
    return parts.stream().map(TurnPart::searchableText).collect(Collectors.joining("\n"));
  }

  /** Returns the entity that it is about or its speaker, if known. */
  public Optional<String> entityOrSpeaker() {
    return Optional.ofNullable(attributes.get(ABOUT))
        .or(() -> Optional.ofNullable(attributes.get(NAME)));
  }

  /** Returns whether it may be shortened: tool calls and results are never cut. */
  public boolean isProse() {
    return parts.stream().allMatch(TurnPart.TextPart.class::isInstance);
  }

  public String hash() {
    return FieldHash.fieldHasher("content")
        .each(role, (fieldHasher, said) -> fieldHasher.text(said.name()))
        .each(parts, RecordBody::addPartToHash)
        .each(
            attributes.entrySet(),
            (fieldHasher, said) -> fieldHasher.text(said.getKey()).text(said.getValue()))
        .each(day, FieldHash.FieldHasher::time)
        .hash();
  }

  private static void addPartToHash(FieldHash.FieldHasher fieldHasher, TurnPart turnPart) {
    switch (turnPart) {
      case TurnPart.TextPart(var text) -> fieldHasher.text("text").text(text);
      case TurnPart.ToolCallPart(var call, var tool, var arguments) ->
          fieldHasher.text("tool_call").text(call).text(tool).text(arguments);
      case TurnPart.ToolResultPart(var call, var content, var failed) ->
          fieldHasher.text("tool_result").text(call).text(content).flag(failed);
      case TurnPart.DataPart(var mediaType, var content) ->
          fieldHasher.text("data").text(mediaType).bytes(content.toArray());
    }
  }

  /** Returns whether this has the hash of a ledger; earlier versions hashed its JSON. */
  public boolean matchesHash(String contentHash) {
    return hash().equals(contentHash)
        || FieldHash.hash("body", Json.text(this)).equals(contentHash);
  }
}
