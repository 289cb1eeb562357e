package dev.caliber.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.TurnPart;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class ChatMessageTest {
  private static final int MANY = 200_000;

  private static ChatMessage message(Stream<String> pieces) {
    String content = pieces.collect(Collectors.joining(",", "[", "]"));
    JsonNode message =
        Json.read("{\"role\": \"user\", \"content\": %s}".formatted(content), JsonNode.class);
    return ChatMessage.of(message, 0).orElseThrow();
  }

  private static long size(ChatMessage message) {
    return message.parts().stream().mapToLong(TurnPart::byteSize).sum();
  }

  @Test
  @DisplayName("the largest pictures are left out until the message fits")
  void leavesOutTheLargest() {
    String small = "{\"type\": \"image_url\", \"url\": \"%s\"}".formatted("s".repeat(300));
    String large = "{\"type\": \"image_url\", \"url\": \"%s\"}".formatted("l".repeat(3000));
    ChatMessage said = message(Stream.of(small, large, small));
    ChatMessage fitting = said.shrinkTo(1000);
    assertThat(size(fitting)).isLessThan(1000);
    assertThat(fitting.parts().getFirst()).isEqualTo(said.parts().getFirst());
    assertThat(fitting.parts().get(1)).isNotEqualTo(said.parts().get(1));
    assertThat(said.shrinkTo(size(said))).isEqualTo(said);
  }

  private static ChatMessage said(String role, String words) {
    JsonNode message =
        Json.read("{\"role\": \"%s\", \"content\": \"%s\"}".formatted(role, words), JsonNode.class);
    return ChatMessage.of(message, 0).orElseThrow();
  }

  @Test
  @DisplayName("a model's text that is too long is replaced by a note when it is repeated")
  void namesWhatAModelRepeats() {
    ChatMessage answer = said("assistant", "w".repeat(3000));
    assertThat(answer.shrinkTo(1000)).isEqualTo(answer);
    ChatMessage named = answer.shrinkRepeatedTo(1000);
    assertThat(size(named)).isLessThan(1000);
    assertThat(named.shrinkRepeatedTo(1000).contentHash()).isEqualTo(named.contentHash());
    assertThat(said("assistant", "v".repeat(3000)).shrinkRepeatedTo(1000).contentHash())
        .isNotEqualTo(named.contentHash());
    ChatMessage question = said("user", "w".repeat(3000));
    assertThat(question.shrinkRepeatedTo(1000)).isEqualTo(question);
  }

  @Test
  @DisplayName("a question is cut between characters")
  void cutsBetweenCharacters() {
    String words = "ab\ud83d\ude00c";
    assertThat(ChatProxy.truncate(words, 3)).isEqualTo("ab");
    assertThat(ChatProxy.truncate(words, 4)).isEqualTo("ab\ud83d\ude00");
    assertThat(ChatProxy.truncate(words, 9)).isEqualTo(words);
    assertThat(ChatProxy.truncate(words, 0)).isEmpty();
  }

  @Test
  @DisplayName("a great many small pieces, which cannot be made smaller, are looked at once")
  void manyPiecesAreNoWork() {
    ChatMessage said = message(Stream.generate(() -> "{\"type\":\"x\"}").limit(MANY));
    assertThat(said.shrinkTo(1)).isEqualTo(said);
    assertThat(List.copyOf(said.parts())).hasSize(MANY);
  }
}
