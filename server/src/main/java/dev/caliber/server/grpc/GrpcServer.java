package dev.caliber.server.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.ActivityTracker;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.CapacityLimiters;
import dev.caliber.server.access.PemKeyManager;
import dev.caliber.server.access.RequestLimiter;
import dev.caliber.server.access.StreamLimiter;
import dev.caliber.server.grpc.RawMessageMarshaller.RawMessage;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.operation.OperationResult;
import dev.caliber.server.operation.RequestId;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.protobuf.ProtoServiceDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The gRPC server: it listens on its own port and runs operations. */
public final class GrpcServer implements AutoCloseable {
  private final OperationDispatcher operationDispatcher;
  private final ChangeFeed feed;
  private final ServerConfig config;
  private final IdGenerator idGenerator;
  private final FileDescriptor file = ProtoSchema.fileDescriptor();
  private final RequestLimiter requestLimiter;
  private final GrpcStreamWriter grpcStreamWriter;
  private final HealthStatusManager health = new HealthStatusManager();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("caliber-grpc-", 0).factory());
  private final Server server;

  private GrpcServer(GrpcServerDependencies grpcServerDependencies) {
    operationDispatcher = grpcServerDependencies.operations();
    feed = grpcServerDependencies.feed();
    idGenerator = grpcServerDependencies.ids();
    config = grpcServerDependencies.config();
    ServerConfig.ServerLimits serverLimits = config.limits();
    requestLimiter = grpcServerDependencies.capacity().requestLimiter();
    grpcStreamWriter = new GrpcStreamWriter(serverLimits);
    StreamLimiter streams = grpcServerDependencies.capacity().streamLimiter();
    ServerInterceptor admitting =
        CallMetadata.admissionInterceptor(grpcServerDependencies.admission());
    ServerInterceptor seated =
        CallLifetimeInterceptor.forStreamsOnly(
            new CallLifetimeInterceptor(
                () -> streams.acquire(CallMetadata.current().caller().id())));
    server =
        serverBuilder(config)
            .executor(threads)
            .maxInboundMessageSize((int) serverLimits.bodySize().bytes())
            .maxConcurrentCallsPerConnection(config.grpc().callsPerConnection())
            .addTransportFilter(new GrpcConnectionLimiter(config))
            .maxConnectionIdle(config.grpc().idleTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTime(config.keeping().heartbeatInterval().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTimeout(serverLimits.idleTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .handshakeTimeout(config.network().headerTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .addService(
                ServerInterceptors.interceptForward(
                    buildService(),
                    new CallLifetimeInterceptor(
                        () -> beginActivity(grpcServerDependencies.activity())),
                    admitting,
                    seated))
            .addService(publicService(health.getHealthService(), admitting, seated))
            .addService(publicService(ProtoReflectionServiceV1.newInstance(), admitting, seated))
            .build();
  }

  private static Runnable beginActivity(ActivityTracker activityTracker) {
    activityTracker.beginRequest();
    return activityTracker::endRequest;
  }

  /** Leaves a service open to callers without a key, except for its streaming calls. */
  private static ServerServiceDefinition publicService(
      BindableService service, ServerInterceptor admitting, ServerInterceptor seated) {
    return ServerInterceptors.interceptForward(
        service, CallLifetimeInterceptor.forStreamsOnly(admitting), seated);
  }

  private static NettyServerBuilder serverBuilder(ServerConfig config) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
            new InetSocketAddress(config.listening().host(), config.grpc().port()));
    config.network().tls().map(GrpcServer::sslContext).ifPresent(builder::sslContext);
    return builder;
  }

  /** Uses the JDK's TLS as HTTPS does: both share the files and pick up renewed ones. */
  private static SslContext sslContext(ServerConfig.TlsFiles tlsFiles) {
    try {
      return GrpcSslContexts.configure(
              SslContextBuilder.forServer(PemKeyManager.of(tlsFiles)), SslProvider.JDK)
          .build();
    } catch (SSLException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  /** The dependencies of the server. */
  public record GrpcServerDependencies(
      OperationDispatcher operations,
      ChangeFeed feed,
      Admission admission,
      CapacityLimiters capacity,
      ActivityTracker activity,
      ServerConfig config,
      IdGenerator ids) {}

  /** Starts listening. */
  public static GrpcServer start(GrpcServerDependencies grpcServerDependencies) {
    GrpcServer started = new GrpcServer(grpcServerDependencies);
    try {
      started.server.start();
    } catch (IOException _) {
      started.close();
      throw ServerException.portInUse(
          grpcServerDependencies.config().listening().host(),
          grpcServerDependencies.config().grpc().port());
    }
    return started;
  }

  /** The port in use, also if the system chose a free one. */
  public int port() {
    return server.getPort();
  }

  private ServerServiceDefinition buildService() {
    ServiceDescriptor service = file.findServiceByName(ProtoSchema.SERVICE);
    ReflectionSchema reflectionSchema = new ReflectionSchema(service);
    io.grpc.ServiceDescriptor.Builder described =
        io.grpc.ServiceDescriptor.newBuilder(service.getFullName())
            .setSchemaDescriptor(reflectionSchema);
    List<GrpcMethod> methods =
        service.getMethods().stream()
            .map(method -> GrpcMethod.of(method, config.limits().bodySize().bytes()))
            .toList();
    methods.forEach(grpcMethod -> described.addMethod(grpcMethod.wire()));
    ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(described.build());
    methods.forEach(
        grpcMethod -> {
          switch (grpcMethod.name()) {
            case ProtoSchema.EVENTS ->
                definition.addMethod(
                    grpcMethod.wire(),
                    ServerCalls.asyncServerStreamingCall(
                        (request, to) ->
                            runGuarded(
                                grpcMethod,
                                to,
                                () ->
                                    streamEvents(
                                        grpcMethod.parseRequest(request), grpcMethod, to))));
            case ProtoSchema.STREAM_RECALL ->
                definition.addMethod(
                    grpcMethod.wire(),
                    ServerCalls.asyncServerStreamingCall(
                        (request, to) ->
                            runGuarded(
                                grpcMethod,
                                to,
                                () ->
                                    streamRecall(
                                        grpcMethod.parseRequest(request), grpcMethod, to))));
            default ->
                definition.addMethod(
                    grpcMethod.wire(),
                    ServerCalls.asyncUnaryCall(
                        (request, to) ->
                            runGuarded(
                                grpcMethod,
                                to,
                                () ->
                                    answerUnary(
                                        grpcMethod.parseRequest(request), grpcMethod, to))));
          }
        });
    return definition.build();
  }

  /** The schema that reflection serves. */
  private record ReflectionSchema(ServiceDescriptor service)
      implements ProtoServiceDescriptorSupplier {
    @Override
    public ServiceDescriptor getServiceDescriptor() {
      return service;
    }

    @Override
    public FileDescriptor getFileDescriptor() {
      return service.getFile();
    }
  }

  /** A gRPC method and its operation. */
  private record GrpcMethod(
      String name,
      String operation,
      Descriptor input,
      Descriptor output,
      MethodDescriptor<RawMessage, DynamicMessage> wire) {
    static GrpcMethod of(com.google.protobuf.Descriptors.MethodDescriptor method, long most) {
      return new GrpcMethod(
          method.getName(),
          toSnakeCase(method.getName()),
          method.getInputType(),
          method.getOutputType(),
          MethodDescriptor.<RawMessage, DynamicMessage>newBuilder()
              .setType(method.isServerStreaming() ? MethodType.SERVER_STREAMING : MethodType.UNARY)
              .setFullMethodName(
                  MethodDescriptor.generateFullMethodName(
                      method.getService().getFullName(), method.getName()))
              .setRequestMarshaller(new RawMessageMarshaller(most))
              .setResponseMarshaller(
                  ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
              .build());
    }

    DynamicMessage parseRequest(RawMessage request) {
      try {
        return DynamicMessage.parseFrom(input, request.bytesOrThrow());
      } catch (InvalidProtocolBufferException _) {
        throw ServerException.invalidInput(
            "", "The message does not have the type that this method takes");
      }
    }

    private static String toSnakeCase(String camel) {
      return camel.replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
  }

  private void runGuarded(GrpcMethod grpcMethod, StreamObserver<DynamicMessage> to, Runnable work) {
    RequestId.runWith(
        idGenerator.next().toString(),
        () -> {
          try {
            work.run();
          } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
            to.onError(GrpcErrorMapper.toStatusException(grpcMethod.name(), e));
          }
        });
  }

  private void answerUnary(
      DynamicMessage request, GrpcMethod grpcMethod, StreamObserver<DynamicMessage> to) {
    JsonNode answer = runOperation(grpcMethod.operation(), JsonProtoConverter.toJson(request));
    to.onNext(JsonProtoConverter.toMessage(grpcMethod.output(), answer));
    to.onCompleted();
  }

  private JsonNode runOperation(String operation, ObjectNode input) {
    CallMetadata callMetadata = CallMetadata.current();
    OperationRequest operationRequest =
        new OperationRequest(
            operation, input, callMetadata.idempotencyKey(), callMetadata.ifMatch());
    OperationResult operationResult =
        requestLimiter.runLimited(
            () -> operationDispatcher.run(callMetadata.caller(), operationRequest));
    return Json.mapper().readTree(operationResult.body());
  }

  private void streamRecall(
      DynamicMessage request, GrpcMethod grpcMethod, StreamObserver<DynamicMessage> to) {
    JsonNode hits = runOperation("recall", JsonProtoConverter.toJson(request)).path("hits");
    grpcStreamWriter.startStream(
        to,
        streamSink -> {
          for (JsonNode hit : hits) {
            streamSink.send(JsonProtoConverter.toMessage(grpcMethod.output(), hit));
          }
        });
  }

  private void streamEvents(
      DynamicMessage request, GrpcMethod grpcMethod, StreamObserver<DynamicMessage> to) {
    grpcStreamWriter.startStream(
        to,
        new FeedStreamSource(
            feed,
            config.keeping(),
            CallMetadata.current(),
            JsonProtoConverter.toJson(request),
            grpcMethod.output()));
  }

  /** Announces to health checks that the server is about to stop. */
  public void announceStop() {
    health.enterTerminalState();
  }

  /** Waits for running calls as long as the settings say; then ends them. */
  @Override
  public void close() {
    announceStop();
    grpcStreamWriter.close();
    server.shutdown();
    try {
      if (!isTerminated(server::awaitTermination)) {
        server.shutdownNow();
        boolean _ = isTerminated(server::awaitTermination);
        threads.shutdownNow();
      }
      threads.shutdown();
      if (!isTerminated(threads::awaitTermination)) {
        threads.shutdownNow(); // wakes calls that wait
      }
    } catch (InterruptedException _) {
      server.shutdownNow();
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private interface TerminationWait {
    boolean await(long time, TimeUnit unit) throws InterruptedException;
  }

  private boolean isTerminated(TerminationWait terminationWait) throws InterruptedException {
    return terminationWait.await(
        config.limits().shutdownTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }
}
