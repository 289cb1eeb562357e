package dev.caliber.testkit.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StructProto;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Client that knows only what the server's reflection describes. */
public final class ReflectionGrpcClient implements AutoCloseable {
  private static final long STREAM_MILLIS = 200;

  private final ManagedChannel channel;
  private final ServiceDescriptor service;

  public ReflectionGrpcClient(int port) {
    this(port, InsecureChannelCredentials.create());
  }

  public ReflectionGrpcClient(int port, ChannelCredentials credentials) {
    this(NettyChannelBuilder.forAddress("127.0.0.1", port, credentials).build());
  }

  public ReflectionGrpcClient(ManagedChannel channel) {
    this.channel = channel;
    this.service = loadDescriptor();
  }

  private ReflectionGrpcClient(ManagedChannel channel, ServiceDescriptor service) {
    this.channel = channel;
    this.service = service;
  }

  /** Returns a client of another server with the same contract, without a request to it. */
  public ReflectionGrpcClient forPort(int port) {
    return new ReflectionGrpcClient(
        NettyChannelBuilder.forAddress("127.0.0.1", port, InsecureChannelCredentials.create())
            .build(),
        service);
  }

  public ManagedChannel channel() {
    return channel;
  }

  /** Returns the answer when the stream has ended, so that its slot is free. */
  private ServerReflectionResponse askReflection(ServerReflectionRequest request) {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> asking =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable error) {
                    answer.completeExceptionally(error);
                    over.completeExceptionally(error);
                  }

                  @Override
                  public void onCompleted() {
                    answer.cancel(false);
                    over.complete(null);
                  }
                });
    asking.onNext(request);
    ServerReflectionResponse response = answer.join();
    asking.onCompleted();
    over.join();
    return response;
  }

  public List<String> services() {
    return askReflection(ServerReflectionRequest.newBuilder().setListServices("").build())
        .getListServicesResponse()
        .getServiceList()
        .stream()
        .map(each -> each.getName())
        .toList();
  }

  private ServiceDescriptor loadDescriptor() {
    try {
      for (ByteString bytes :
          askReflection(
                  ServerReflectionRequest.newBuilder()
                      .setFileContainingSymbol("caliber.v1.Caliber")
                      .build())
              .getFileDescriptorResponse()
              .getFileDescriptorProtoList()) {
        FileDescriptorProto file = FileDescriptorProto.parseFrom(bytes);
        if (file.getPackage().equals("caliber.v1")) {
          return FileDescriptor.buildFrom(file, new FileDescriptor[] {StructProto.getDescriptor()})
              .findServiceByName("Caliber");
        }
      }
    } catch (InvalidProtocolBufferException | DescriptorValidationException e) {
      throw new AssertionError("what reflection says is no file of gRPC", e);
    }
    throw new AssertionError("reflection does not know the service");
  }

  public List<MethodDescriptor> methods() {
    return service.getMethods();
  }

  public MethodDescriptor method(String name) {
    return service.findMethodByName(name);
  }

  /** Returns a request of plain texts and numbers. */
  public DynamicMessage request(String method, Object... pairs) {
    Descriptor type = method(method).getInputType();
    DynamicMessage.Builder request = DynamicMessage.newBuilder(type);
    for (int i = 0; i < pairs.length; i += 2) {
      FieldDescriptor field = type.findFieldByName((String) pairs[i]);
      if (field.isRepeated()) {
        request.addRepeatedField(field, pairs[i + 1]);
      } else {
        request.setField(field, pairs[i + 1]);
      }
    }
    return request.build();
  }

  private static io.grpc.MethodDescriptor<DynamicMessage, DynamicMessage> byteMethod(
      MethodDescriptor method) {
    return io.grpc.MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
        .setType(
            method.isServerStreaming()
                ? io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING
                : io.grpc.MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(
            io.grpc.MethodDescriptor.generateFullMethodName(
                method.getService().getFullName(), method.getName()))
        .setRequestMarshaller(
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getInputType())))
        .setResponseMarshaller(
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
        .build();
  }

  public static Metadata headers(String... pairs) {
    Metadata headers = new Metadata();
    for (int i = 0; i < pairs.length; i += 2) {
      headers.put(Metadata.Key.of(pairs[i], Metadata.ASCII_STRING_MARSHALLER), pairs[i + 1]);
    }
    return headers;
  }

  public DynamicMessage call(String method, DynamicMessage request, String... headers) {
    return call(method, request, CallOptions.DEFAULT, headers);
  }

  public DynamicMessage call(
      String method, DynamicMessage request, CallOptions options, String... headers) {
    return ClientCalls.blockingUnaryCall(
        ClientInterceptors.intercept(
            channel, MetadataUtils.newAttachHeadersInterceptor(headers(headers))),
        byteMethod(method(method)),
        options,
        request);
  }

  /** Sends any bytes as a message. */
  public byte[] callRaw(String method, byte[] message) {
    return callRaw(method, message, CallOptions.DEFAULT);
  }

  public byte[] callRaw(String method, byte[] message, CallOptions options) {
    io.grpc.MethodDescriptor.Marshaller<byte[]> bytes =
        new io.grpc.MethodDescriptor.Marshaller<>() {
          @Override
          public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
          }

          @Override
          public byte[] parse(InputStream stream) {
            try {
              return stream.readAllBytes();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    io.grpc.MethodDescriptor<byte[], byte[]> wire =
        byteMethod(method(method)).toBuilder(bytes, bytes).build();
    return method(method).isServerStreaming()
        ? firstMessage(wire, message)
        : ClientCalls.blockingUnaryCall(channel, wire, options, message);
  }

  /** Returns the first message of a stream, if one comes soon. */
  private byte[] firstMessage(io.grpc.MethodDescriptor<byte[], byte[]> wire, byte[] message) {
    Iterator<byte[]> stream =
        ClientCalls.blockingServerStreamingCall(
            channel,
            wire,
            CallOptions.DEFAULT.withDeadlineAfter(STREAM_MILLIS, TimeUnit.MILLISECONDS),
            message);
    return stream.hasNext() ? stream.next() : new byte[0];
  }

  public Iterator<DynamicMessage> callStreaming(
      String method, DynamicMessage request, CallOptions options, String... headers) {
    return ClientCalls.blockingServerStreamingCall(
        ClientInterceptors.intercept(
            channel, MetadataUtils.newAttachHeadersInterceptor(headers(headers))),
        byteMethod(method(method)),
        options,
        request);
  }

  /** Reads one message of a stream and then no more; the stream remains open. */
  public ClientCall<DynamicMessage, DynamicMessage> readOneMessage(
      String method, DynamicMessage request) {
    ClientCall<DynamicMessage, DynamicMessage> call =
        channel.newCall(byteMethod(method(method)), CallOptions.DEFAULT);
    CompletableFuture<DynamicMessage> first = new CompletableFuture<>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(DynamicMessage message) {
            first.complete(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            first.completeExceptionally(status.asRuntimeException(trailers));
          }
        },
        new Metadata());
    call.sendMessage(request);
    call.halfClose();
    call.request(1);
    first.join();
    return call;
  }

  public static Object field(DynamicMessage message, String name) {
    return message.getField(message.getDescriptorForType().findFieldByName(name));
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
