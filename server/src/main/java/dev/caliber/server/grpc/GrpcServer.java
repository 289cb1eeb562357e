package dev.caliber.server.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.Activity;
import dev.caliber.server.access.Admission;
import dev.caliber.server.access.Capacity;
import dev.caliber.server.access.PemFiles;
import dev.caliber.server.access.StreamPlaces;
import dev.caliber.server.access.Turns;
import dev.caliber.server.grpc.PlainBytes.Received;
import dev.caliber.server.operation.Answer;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Operations;
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

/** Listens on a port of its own, and answers by running operations. */
public final class GrpcServer implements AutoCloseable {
  private final Operations operations;
  private final ChangeFeed feed;
  private final ServerConfig config;
  private final Ids ids;
  private final FileDescriptor file = ProtoContract.file();
  private final Turns turns;
  private final Pouring pouring;
  private final HealthStatusManager health = new HealthStatusManager();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("caliber-grpc-", 0).factory());
  private final Server server;

  private GrpcServer(Parts parts) {
    operations = parts.operations();
    feed = parts.feed();
    ids = parts.ids();
    config = parts.config();
    ServerConfig.Limits limits = config.limits();
    turns = parts.capacity().turns();
    pouring = new Pouring(limits);
    StreamPlaces streams = parts.capacity().streams();
    ServerInterceptor admitting = Asking.admitting(parts.admission());
    ServerInterceptor seated =
        DuringCall.ofStreams(new DuringCall(() -> streams.take(Asking.current().caller().id())));
    server =
        listening(config)
            .executor(threads)
            .maxInboundMessageSize((int) limits.body().bytes())
            .maxConcurrentCallsPerConnection(config.grpc().calls())
            .addTransportFilter(new ConnectionLimit(config))
            .maxConnectionIdle(config.grpc().idle().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTime(config.keeping().heartbeat().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTimeout(limits.idle().toMillis(), TimeUnit.MILLISECONDS)
            .handshakeTimeout(config.network().head().toMillis(), TimeUnit.MILLISECONDS)
            .addService(
                ServerInterceptors.interceptForward(
                    service(), new DuringCall(() -> begun(parts.activity())), admitting, seated))
            .addService(lasting(health.getHealthService(), admitting, seated))
            .addService(lasting(ProtoReflectionServiceV1.newInstance(), admitting, seated))
            .build();
  }

  private static Runnable begun(Activity activity) {
    activity.begin();
    return activity::end;
  }

  /** What anybody may ask; but a stream, which stays, is for whoever may ask for the rest. */
  private static ServerServiceDefinition lasting(
      BindableService service, ServerInterceptor admitting, ServerInterceptor seated) {
    return ServerInterceptors.interceptForward(service, DuringCall.ofStreams(admitting), seated);
  }

  private static NettyServerBuilder listening(ServerConfig config) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
            new InetSocketAddress(config.listening().host(), config.grpc().port()));
    config.network().tls().map(GrpcServer::context).ifPresent(builder::sslContext);
    return builder;
  }

  /** By the TLS of the JDK, as for HTTPS: the same files do for both, and are renewed in both. */
  private static SslContext context(ServerConfig.Tls tls) {
    try {
      return GrpcSslContexts.configure(
              SslContextBuilder.forServer(PemFiles.of(tls)), SslProvider.JDK)
          .build();
    } catch (SSLException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  /** What it stands on. */
  public record Parts(
      Operations operations,
      ChangeFeed feed,
      Admission admission,
      Capacity capacity,
      Activity activity,
      ServerConfig config,
      Ids ids) {}

  /** Begins to listen. */
  public static GrpcServer start(Parts parts) {
    GrpcServer started = new GrpcServer(parts);
    try {
      started.server.start();
    } catch (IOException _) {
      started.close();
      throw ServerException.portInUse(
          parts.config().listening().host(), parts.config().grpc().port());
    }
    return started;
  }

  /** A free one that it was told to choose included. */
  public int port() {
    return server.getPort();
  }

  private ServerServiceDefinition service() {
    ServiceDescriptor service = file.findServiceByName(ProtoContract.SERVICE);
    Supplied supplied = new Supplied(service);
    io.grpc.ServiceDescriptor.Builder described =
        io.grpc.ServiceDescriptor.newBuilder(service.getFullName()).setSchemaDescriptor(supplied);
    List<Method> methods =
        service.getMethods().stream()
            .map(method -> Method.of(method, config.limits().body().bytes()))
            .toList();
    methods.forEach(method -> described.addMethod(method.wire()));
    ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(described.build());
    methods.forEach(
        method -> {
          switch (method.name()) {
            case ProtoContract.EVENTS ->
                definition.addMethod(
                    method.wire(),
                    ServerCalls.asyncServerStreamingCall(
                        (request, to) ->
                            guarded(method, to, () -> events(method.read(request), method, to))));
            case ProtoContract.STREAM_RECALL ->
                definition.addMethod(
                    method.wire(),
                    ServerCalls.asyncServerStreamingCall(
                        (request, to) ->
                            guarded(method, to, () -> recall(method.read(request), method, to))));
            default ->
                definition.addMethod(
                    method.wire(),
                    ServerCalls.asyncUnaryCall(
                        (request, to) ->
                            guarded(method, to, () -> answer(method.read(request), method, to))));
          }
        });
    return definition.build();
  }

  /** What reflection shows. */
  private record Supplied(ServiceDescriptor service) implements ProtoServiceDescriptorSupplier {
    @Override
    public ServiceDescriptor getServiceDescriptor() {
      return service;
    }

    @Override
    public FileDescriptor getFileDescriptor() {
      return service.getFile();
    }
  }

  /** A method, and the operation that it is. */
  private record Method(
      String name,
      String operation,
      Descriptor input,
      Descriptor output,
      MethodDescriptor<Received, DynamicMessage> wire) {
    static Method of(com.google.protobuf.Descriptors.MethodDescriptor method, long most) {
      return new Method(
          method.getName(),
          snake(method.getName()),
          method.getInputType(),
          method.getOutputType(),
          MethodDescriptor.<Received, DynamicMessage>newBuilder()
              .setType(method.isServerStreaming() ? MethodType.SERVER_STREAMING : MethodType.UNARY)
              .setFullMethodName(
                  MethodDescriptor.generateFullMethodName(
                      method.getService().getFullName(), method.getName()))
              .setRequestMarshaller(new PlainBytes(most))
              .setResponseMarshaller(
                  ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
              .build());
    }

    DynamicMessage read(Received request) {
      try {
        return DynamicMessage.parseFrom(input, request.read());
      } catch (InvalidProtocolBufferException _) {
        throw ServerException.invalidInput(
            "", "Wanted a message of this method, found something else");
      }
    }

    private static String snake(String camel) {
      return camel.replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
  }

  private void guarded(Method method, StreamObserver<DynamicMessage> to, Runnable work) {
    RequestId.run(
        ids.next().toString(),
        () -> {
          try {
            work.run();
          } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
            to.onError(Refusals.of(method.name(), e));
          }
        });
  }

  private void answer(DynamicMessage request, Method method, StreamObserver<DynamicMessage> to) {
    JsonNode answer = run(method.operation(), JsonMessages.json(request));
    to.onNext(JsonMessages.message(method.output(), answer));
    to.onCompleted();
  }

  private JsonNode run(String operation, ObjectNode input) {
    Asking asking = Asking.current();
    Call call = new Call(operation, input, asking.idempotencyKey(), asking.ifMatch());
    Answer answer = turns.take(() -> operations.run(asking.caller(), call));
    return Json.mapper().readTree(answer.body());
  }

  private void recall(DynamicMessage request, Method method, StreamObserver<DynamicMessage> to) {
    JsonNode hits = run("recall", JsonMessages.json(request)).path("hits");
    pouring.start(
        to,
        sink -> {
          for (JsonNode hit : hits) {
            sink.send(JsonMessages.message(method.output(), hit));
          }
        });
  }

  private void events(DynamicMessage request, Method method, StreamObserver<DynamicMessage> to) {
    pouring.start(
        to,
        new FeedMessages(
            feed, config.keeping(), Asking.current(), JsonMessages.json(request), method.output()));
  }

  /** Says to whoever asks for its health that it is about to stop. */
  public void announceStop() {
    health.enterTerminalState();
  }

  /** Lets calls that are being worked on end, for as long as settings say; then ends them. */
  @Override
  public void close() {
    announceStop();
    pouring.close();
    server.shutdown();
    try {
      if (!isEnded(server::awaitTermination)) {
        server.shutdownNow();
        boolean _ = isEnded(server::awaitTermination);
        threads.shutdownNow();
      }
      threads.shutdown();
      if (!isEnded(threads::awaitTermination)) {
        threads.shutdownNow(); // whoever waits for something is woken by it
      }
    } catch (InterruptedException _) {
      server.shutdownNow();
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private interface Ending {
    boolean await(long time, TimeUnit unit) throws InterruptedException;
  }

  private boolean isEnded(Ending ending) throws InterruptedException {
    return ending.await(config.limits().stop().toMillis(), TimeUnit.MILLISECONDS);
  }
}
