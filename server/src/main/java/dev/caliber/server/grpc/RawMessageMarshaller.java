package dev.caliber.server.grpc;

import dev.caliber.server.operation.ServerException;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * A marshaller that passes message bytes on unparsed. A parse error inside gRPC could not be
 * answered with a reason: the client would get an unknown error, and the log a line for each.
 */
final class RawMessageMarshaller implements Marshaller<RawMessageMarshaller.RawMessage> {
  /**
   * A message, or the reason why it cannot be read.
   *
   * @param bytes empty if there is a refusal
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  record RawMessage(byte[] bytes, Optional<ServerException> refusal) {
    byte[] bytesOrThrow() {
      refusal.ifPresent(
          reason -> {
            throw reason;
          });
      return bytes;
    }

    private static RawMessage rejected(ServerException reason) {
      return new RawMessage(new byte[0], Optional.of(reason));
    }
  }

  private final long most;

  RawMessageMarshaller(long most) {
    this.most = most;
  }

  @Override
  public InputStream stream(RawMessage message) {
    return new ByteArrayInputStream(message.bytes());
  }

  /** Reads the message; gRPC bounds the size of a compressed one while it is unpacked. */
  @Override
  public RawMessage parse(InputStream message) {
    try {
      return new RawMessage(message.readAllBytes(), Optional.empty());
    } catch (StatusRuntimeException _) {
      return RawMessage.rejected(ServerException.bodyTooLarge(most));
    } catch (IOException _) {
      return RawMessage.rejected(
          ServerException.invalidInput(
              "", "The message cannot be decompressed by the method that its header names"));
    }
  }
}
