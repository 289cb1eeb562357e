package dev.caliber.app;

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
import com.google.protobuf.Message;
import com.google.protobuf.StructProto;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The same over gRPC, as the server's reflection describes it: fields of texts, whole numbers,
 * flags and messages of them, which are all that agents need.
 */
@NullMarked
final class GrpcCalls implements Calls {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Metadata.Key<String> CODE = header("caliber-code");

  private final ManagedChannel channel;
  private final ServiceDescriptor service;

  GrpcCalls(int port) {
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port, InsecureChannelCredentials.create())
            .build();
    this.service = reflected();
  }

  private static Metadata.Key<String> header(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private ServiceDescriptor reflected() {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
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
                  }

                  @Override
                  public void onCompleted() {
                    answer.cancel(false);
                  }
                });
    asking.onNext(
        ServerReflectionRequest.newBuilder().setFileContainingSymbol("caliber.v1.Caliber").build());
    List<ByteString> files = answer.join().getFileDescriptorResponse().getFileDescriptorProtoList();
    asking.onCompleted();
    return files.stream()
        .map(GrpcCalls::parsed)
        .filter(file -> file.getPackage().equals("caliber.v1"))
        .findFirst()
        .map(GrpcCalls::service)
        .orElseThrow();
  }

  private static FileDescriptorProto parsed(ByteString bytes) {
    try {
      return FileDescriptorProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("what reflection says is no file of gRPC", e);
    }
  }

  private static ServiceDescriptor service(FileDescriptorProto file) {
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {StructProto.getDescriptor()})
          .findServiceByName("Caliber");
    } catch (DescriptorValidationException e) {
      throw new AssertionError("what reflection says is no file of gRPC", e);
    }
  }

  @Override
  public JsonNode ask(String operation, ObjectNode input, String key) throws Lost {
    MethodDescriptor method = service.findMethodByName(camel(operation));
    Metadata headers = new Metadata();
    headers.put(header("idempotency-key"), key);
    try {
      return json(
          ClientCalls.blockingUnaryCall(
              ClientInterceptors.intercept(
                  channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
              wire(method),
              CallOptions.DEFAULT,
              message(method.getInputType(), input)));
    } catch (StatusRuntimeException e) {
      String code =
          Optional.ofNullable(e.getTrailers())
              .flatMap(trailers -> Optional.ofNullable(trailers.get(CODE)))
              .orElseThrow(() -> new Lost(e));
      if (e.getStatus().getCode() == io.grpc.Status.Code.UNAVAILABLE) {
        throw new Lost(e);
      }
      throw new Refused(code, e);
    }
  }

  private static String camel(String snake) {
    return Stream.of(snake.split("_", -1))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  private static io.grpc.MethodDescriptor<DynamicMessage, DynamicMessage> wire(
      MethodDescriptor method) {
    return io.grpc.MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName(
            io.grpc.MethodDescriptor.generateFullMethodName(
                method.getService().getFullName(), method.getName()))
        .setRequestMarshaller(
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getInputType())))
        .setResponseMarshaller(
            ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
        .build();
  }

  private static DynamicMessage message(Descriptor type, JsonNode json) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (Map.Entry<String, JsonNode> each : json.properties()) {
      FieldDescriptor field = type.findFieldByName(each.getKey());
      if (field.isRepeated()) {
        each.getValue().forEach(one -> message.addRepeatedField(field, value(field, one)));
      } else {
        message.setField(field, value(field, each.getValue()));
      }
    }
    return message.build();
  }

  private static Object value(FieldDescriptor field, JsonNode json) {
    return switch (field.getJavaType()) {
      case LONG -> json.asLong();
      case BOOLEAN -> json.asBoolean();
      case MESSAGE -> message(field.getMessageType(), json);
      default -> json.asString();
    };
  }

  private static JsonNode json(Object value) {
    return switch (value) {
      case Message message -> {
        ObjectNode object = NODES.objectNode();
        message.getAllFields().forEach((field, each) -> object.set(field.getName(), json(each)));
        yield object;
      }
      case List<?> list -> {
        ArrayNode array = NODES.arrayNode();
        list.forEach(each -> array.add(json(each)));
        yield array;
      }
      case Long number -> NODES.numberNode(number);
      case Boolean flag -> NODES.booleanNode(flag);
      default -> NODES.stringNode(value.toString());
    };
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
