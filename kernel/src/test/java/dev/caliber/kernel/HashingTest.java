package dev.caliber.kernel;

import static dev.caliber.kernel.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HashingTest {
  @Test
  @DisplayName("ARC-11: SHA-256 and hexadecimal text are the standard ones")
  void sha256IsTheStandardOne() {
    assertThat(FieldHash.hex(FieldHash.sha256("abc".getBytes(StandardCharsets.US_ASCII))))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  @DisplayName("C-21: the layout gives the recorded hashes")
  void layoutIsFixed() {
    assertThat(FieldHash.hash("note"))
        .isEqualTo("89929f191bc607eced3deaf06dde90bc5882b725300ea2f651859b51c0533793");
    assertThat(FieldHash.hash("note", "a", ""))
        .isEqualTo("e9862de3264f5f28d6587bb79591745be37762999d28460f16d5f8a86694ef14");
    assertThat(FieldHash.hash("note", "", "a"))
        .isEqualTo("f14826f47d2225eb285c4073a3242f3ca84adf81618198e12c55188cacae5d66");
    assertThat(FieldHash.hash("note", "Grüße", "日本", "😀"))
        .isEqualTo("044ece9efa4a657b8d414c0a15e0672862d783e3164444f4aa126977bff2a267");
    assertThat(FieldHash.hash("change", "sync", "host-1", "42"))
        .isEqualTo("3b9f542ce3a3fbd784681cf04384d3523251648ea836b6850279456955caab0b");
    assertThat(FieldHash.hash("x", "\uD800"))
        .isEqualTo("34c0711cdaacf3e90c5d563a7bf7ae07c7bdd4977bdac45e06594c91a3497acb");
  }

  @Test
  @DisplayName("C-21: the hash is the SHA-256 of the documented bytes")
  void hashIsOfTheDocumentedBytes() {
    byte[] documented = "v1|note|1:a0:".getBytes(StandardCharsets.US_ASCII);
    assertThat(FieldHash.hash("note", "a", ""))
        .isEqualTo(FieldHash.hex(FieldHash.sha256(documented)));
  }

  @Test
  @DisplayName("C-21: fields that are fed one by one give the hash of their list, however long")
  void fedOneByOne() {
    String[] texts = {"a".repeat(4095), "", "b".repeat(4096), "c".repeat(5000), "Grüße"};
    FieldHash.FieldHasher fieldHasher = FieldHash.fieldHasher("note");
    Stream.of(texts).forEach(fieldHasher::text);
    assertThat(fieldHasher.hash()).isEqualTo(FieldHash.hash("note", texts));
  }

  @Test
  @DisplayName("C-21: numbers, ids, times and lists are fields of the documented bytes")
  void otherFields() {
    Instant time = Instant.ofEpochSecond(7, 3_999);
    String hash =
        FieldHash.fieldHasher("note")
            .number(-2L)
            .number(0.5)
            .flag(true)
            .id(new Id(5, 6))
            .time(time)
            .each(List.of("x", "y"), FieldHash.FieldHasher::text)
            .each(Optional.<String>empty(), FieldHash.FieldHasher::text)
            .bytes(new byte[] {9})
            .hash();
    ByteBuffer documented = ByteBuffer.allocate(200);
    documented.put("v1|note|".getBytes(StandardCharsets.US_ASCII));
    LongStream.of(-2, Double.doubleToLongBits(0.5), 1, 5, 6, 7, 3, 2)
        .forEach(number -> number(documented, number));
    documented.put("1:x1:y".getBytes(StandardCharsets.US_ASCII));
    number(documented, 0);
    documented.put("1:".getBytes(StandardCharsets.US_ASCII)).put((byte) 9);
    byte[] bytes = Arrays.copyOf(documented.array(), documented.position());
    assertThat(hash).isEqualTo(FieldHash.hex(FieldHash.sha256(bytes)));
  }

  private static void number(ByteBuffer bytes, long number) {
    bytes.put("8:".getBytes(StandardCharsets.US_ASCII)).putLong(number);
  }

  @Test
  void aKindIsNeitherBlankNorDivided() {
    refused(KernelErrorCode.INVALID_VALUE, () -> FieldHash.hash(" ", "a"));
    refused(KernelErrorCode.INVALID_VALUE, () -> FieldHash.hash("a|b", "c"));
  }
}
