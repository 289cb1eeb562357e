package dev.caliber.server.grpc;

import dev.caliber.server.operation.ServerException;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Messages as they came. What is read where gRPC reads it cannot be refused with a reason: bytes
 * that are no message would be an unknown error, and a line of the log for each.
 */
final class PlainBytes implements Marshaller<PlainBytes.Received> {
  /**
   * A message, or why it cannot be read.
   *
   * @param bytes empty where there is a refusal
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, compared by no caller
  record Received(byte[] bytes, Optional<ServerException> refusal) {
    byte[] read() {
      refusal.ifPresent(
          reason -> {
            throw reason;
          });
      return bytes;
    }

    private static Received refused(ServerException reason) {
      return new Received(new byte[0], Optional.of(reason));
    }
  }

  private final long most;

  PlainBytes(long most) {
    this.most = most;
  }

  @Override
  public InputStream stream(Received message) {
    return new ByteArrayInputStream(message.bytes());
  }

  /** A compressed message is bounded as it is unpacked: gRPC ends the stream at the limit. */
  @Override
  public Received parse(InputStream message) {
    try {
      return new Received(message.readAllBytes(), Optional.empty());
    } catch (StatusRuntimeException _) {
      return Received.refused(ServerException.bodyTooLarge(most));
    } catch (IOException _) {
      return Received.refused(
          ServerException.invalidInput(
              "", "Wanted a message compressed as it says, found another"));
    }
  }
}
