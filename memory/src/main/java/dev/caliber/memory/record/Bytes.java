package dev.caliber.memory.record;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.caliber.kernel.FieldHash;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Content of any kind, byte for byte. Two are equal when their bytes are. */
public final class Bytes {
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Bytes of(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  public static Bytes of(String text) {
    return new Bytes(TextChecks.requireStorable("content", text).getBytes(StandardCharsets.UTF_8));
  }

  @JsonValue
  public byte[] toArray() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  /** Returns the SHA-256 of the bytes alone, as lower-case hexadecimal digits. */
  public String hash() {
    return FieldHash.hex(FieldHash.sha256(bytes));
  }

  /** Returns the text, if the bytes are UTF-8. */
  public Optional<String> text() {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
