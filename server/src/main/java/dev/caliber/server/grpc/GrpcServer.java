package dev.caliber.server.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.caliber.kernel.Json;
import dev.caliber.server.access.Activity;
import dev.caliber.server.access.Admission;
import dev.caliber.server.operation.Answer;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoServiceDescriptorSupplier;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Listens on a port of its own, and answers by running operations. */
public final class GrpcServer implements AutoCloseable {
  private final Operations operations;
  private final ChangeFeed feed;
  private final ServerConfig config;
  private final FileDescriptor file = ProtoContract.file();
  private final Semaphore permits;
  private final Pouring pouring;
  private final HealthStatusManager health = new HealthStatusManager();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("caliber-grpc-", 0).factory());
  private final Server server;

  private GrpcServer(Parts parts) {
    operations = parts.operations();
    feed = parts.feed();
    config = parts.config();
    ServerConfig.Limits limits = config.limits();
    permits = new Semaphore(limits.requests(), true);
    pouring = new Pouring(limits);
    BindableService reflection = ProtoReflectionServiceV1.newInstance();
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(config.listening().host(), config.grpc().port()),
                config
                    .network()
                    .tls()
                    .map(GrpcServer::credentials)
                    .orElseGet(InsecureServerCredentials::create))
            .executor(threads)
            .maxInboundMessageSize((int) limits.body().bytes())
            .maxConnectionIdle(config.grpc().idle().toMillis(), TimeUnit.MILLISECONDS)
            .handshakeTimeout(limits.idle().toMillis(), TimeUnit.MILLISECONDS)
            .addService(
                ServerInterceptors.intercept(
                    service(), Asking.admitting(parts.admission()), new Counting(parts.activity())))
            .addService(health.getHealthService())
            .addService(reflection)
            .build();
  }

  private static ServerCredentials credentials(ServerConfig.Tls tls) {
    try {
      return TlsServerCredentials.create(tls.certificate().toFile(), tls.key().toFile());
    } catch (IOException e) {
      throw ServerException.tlsRefused(String.valueOf(e.getMessage()));
    }
  }

  /** What it stands on. */
  public record Parts(
      Operations operations,
      ChangeFeed feed,
      Admission admission,
      Activity activity,
      ServerConfig config) {}

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
    List<Method> methods = service.getMethods().stream().map(Method::of).toList();
    methods.forEach(method -> described.addMethod(method.wire()));
    ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(described.build());
    methods.forEach(
        method -> {
          switch (method.name()) {
            case ProtoContract.EVENTS ->
                definition.addMethod(
                    method.wire(),
                    ServerCalls.asyncServerStreamingCall(
                        (request, to) -> guarded(to, () -> events(request, method, to))));
            case ProtoContract.STREAM_RECALL ->
                definition.addMethod(
                    method.wire(),
                    ServerCalls.asyncServerStreamingCall(
                        (request, to) -> guarded(to, () -> recall(request, method, to))));
            default ->
                definition.addMethod(
                    method.wire(),
                    ServerCalls.asyncUnaryCall(
                        (request, to) -> guarded(to, () -> answer(request, method, to))));
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
      Descriptor output,
      MethodDescriptor<DynamicMessage, DynamicMessage> wire) {
    static Method of(com.google.protobuf.Descriptors.MethodDescriptor method) {
      return new Method(
          method.getName(),
          snake(method.getName()),
          method.getOutputType(),
          MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
              .setType(method.isServerStreaming() ? MethodType.SERVER_STREAMING : MethodType.UNARY)
              .setFullMethodName(
                  MethodDescriptor.generateFullMethodName(
                      method.getService().getFullName(), method.getName()))
              .setRequestMarshaller(marshaller(method.getInputType()))
              .setResponseMarshaller(marshaller(method.getOutputType()))
              .build());
    }

    private static MethodDescriptor.Marshaller<DynamicMessage> marshaller(Descriptor type) {
      return ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(type));
    }

    private static String snake(String camel) {
      return camel.replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
  }

  private static void guarded(StreamObserver<DynamicMessage> to, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      to.onError(Refusals.of(e));
    }
  }

  private void answer(DynamicMessage request, Method method, StreamObserver<DynamicMessage> to) {
    JsonNode answer = run(method.operation(), JsonMessages.json(request));
    to.onNext(JsonMessages.message(method.output(), answer));
    to.onCompleted();
  }

  /** As many at a time as settings say. */
  private JsonNode run(String operation, ObjectNode input) {
    Asking asking = Asking.current();
    try {
      if (!permits.tryAcquire(config.limits().patience().toMillis(), TimeUnit.MILLISECONDS)) {
        throw ServerException.overloaded("server.limits.requests", config.limits().patience());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ServerException.overloaded("server.limits.requests", config.limits().patience());
    }
    try {
      Answer answer =
          operations.run(
              asking.caller(),
              new Call(operation, input, asking.idempotencyKey(), asking.ifMatch()));
      return Json.mapper().readTree(answer.body());
    } finally {
      permits.release();
    }
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
    Asking asking = Asking.current();
    Caller caller = asking.caller();
    ObjectNode wish = JsonMessages.json(request);
    FeedCursor start = Places.start(feed.head(caller.space()), wish.path("after").asString(""));
    Set<String> tables = new HashSet<>();
    wish.path("tables").forEach(table -> tables.add(table.asString()));
    feed.read(caller.space(), start, 1); // what is no longer kept is refused before it begins
    pouring.start(to, sink -> follow(asking, start, tables, method.output(), sink));
  }

  private void follow(
      Asking asking, FeedCursor start, Set<String> tables, Descriptor type, Pouring.Sink sink)
      throws InterruptedException {
    FeedCursor cursor = start;
    while (sink.isOpen()) {
      List<Commit> commits =
          feed.await(
              asking.caller().space(),
              cursor,
              config.keeping().batch(),
              config.keeping().heartbeat());
      asking.again().run();
      for (Commit commit : commits) {
        cursor = new FeedCursor(cursor.epoch(), commit.sequence());
        ObjectNode event = Places.event(cursor, commit, tables);
        if (!event.path("changes").isEmpty()) {
          sink.send(JsonMessages.message(type, event));
        }
      }
    }
  }

  /** Lets calls that are being worked on end, for as long as settings say. */
  @Override
  public void close() {
    health.enterTerminalState();
    pouring.close();
    server.shutdown();
    try {
      if (!server.awaitTermination(config.limits().stop().toMillis(), TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException _) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    threads.close();
  }
}
