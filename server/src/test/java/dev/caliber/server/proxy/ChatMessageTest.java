package dev.caliber.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.memory.record.Part;
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
    return message.parts().stream().mapToLong(Part::size).sum();
  }

  @Test
  @DisplayName("the largest pictures are left out, as many as have to be")
  void leavesOutTheLargest() {
    String small = "{\"type\": \"image_url\", \"url\": \"%s\"}".formatted("s".repeat(300));
    String large = "{\"type\": \"image_url\", \"url\": \"%s\"}".formatted("l".repeat(3000));
    ChatMessage said = message(Stream.of(small, large, small));
    ChatMessage fitting = said.within(1000);
    assertThat(size(fitting)).isLessThan(1000);
    assertThat(fitting.parts().getFirst()).isEqualTo(said.parts().getFirst());
    assertThat(fitting.parts().get(1)).isNotEqualTo(said.parts().get(1));
    assertThat(said.within(size(said))).isEqualTo(said);
  }

  @Test
  @DisplayName("a great many small pieces, which cannot be made smaller, are looked at once")
  void manyPiecesAreNoWork() {
    ChatMessage said = message(Stream.generate(() -> "{\"type\":\"x\"}").limit(MANY));
    assertThat(said.within(1)).isEqualTo(said);
    assertThat(List.copyOf(said.parts())).hasSize(MANY);
  }
}
