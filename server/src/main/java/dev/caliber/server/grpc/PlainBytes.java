package dev.caliber.server.grpc;

import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Messages as they came. What is read where gRPC reads it cannot be refused with a reason: bytes
 * that are no message would be an unknown error, and a line of the log for each.
 */
final class PlainBytes implements Marshaller<byte[]> {
  @Override
  public InputStream stream(byte[] message) {
    return new ByteArrayInputStream(message);
  }

  @Override
  public byte[] parse(InputStream message) {
    try {
      return message.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
