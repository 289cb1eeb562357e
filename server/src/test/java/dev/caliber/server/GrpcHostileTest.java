package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.testkit.Seed;
import dev.caliber.testkit.grpc.ReflectionGrpcClient;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that were valid once, with changed, missing or repeated bytes, sent to any method,
 * streams included. Each is answered, none breaks the server, and the next valid one gets its
 * answer.
 */
@Timeout(1200)
class GrpcHostileTest {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcHostileTest.class);
  private static final Duration LONG =
      Duration.parse(System.getProperty("caliber.hostile", "PT10M"));
  private static final int QUICK = 250;
  private static final CallOptions PACKED = CallOptions.DEFAULT.withCompression("gzip");

  /** An unpaired surrogate, as UTF-8 would encode it if it could. */
  private static final byte[] HALF = {(byte) 0xed, (byte) 0xa0, (byte) 0x80};

  private final Map<Status.Code, Integer> answers = new TreeMap<>();

  @TempDir Path directory;
  private TestServer server;
  private ReflectionGrpcClient client;
  private List<String> methods = List.of();
  private List<byte[]> right = List.of();

  @BeforeEach
  void start() {
    server = TestServer.start(TestServer.setup(directory, TestServer.starter().withGrpcPort(0)));
    client = new ReflectionGrpcClient(server.server().grpcPort().orElseThrow());
    methods = client.methods().stream().map(MethodDescriptor::getName).toList();
    right = new ArrayList<>();
    right.add(client.request("Remember", "text", "Tea", "subject", "alice").toByteArray());
    right.add(client.request("Recall", "query", "tea", "limit", 3L).toByteArray());
    right.add(client.request("StartTrajectory", "goal", "Ship", "tags", "a").toByteArray());
    right.add(client.request("StreamEvents", "after", "0", "tables", "note").toByteArray());
    right.add(client.request("AssembleContext", "session", "s1", "max_tokens", 500L).toByteArray());
    right.add(client.request("GetNote", "id", "01ARZ3NDEKTSV4RRFFQ69G5FAV").toByteArray());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  @DisplayName("250 broken messages of gRPC are answered, and the server works on")
  void survivesBrokenMessages() {
    RandomGenerator random = new SplittableRandom(Seed.VALUE);
    for (int i = 0; i < QUICK; i++) {
      attack(random);
    }
    assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
  }

  @Test
  @Tag("long")
  @SystemAccess("it lasts ten minutes of this machine's time, or what -Dcaliber.hostile says")
  @DisplayName("ten minutes of broken messages of gRPC are answered, and the server works on")
  void survivesBrokenMessagesForLong() {
    RandomGenerator random = new SplittableRandom(Seed.VALUE);
    long end = System.nanoTime() + LONG.toNanos();
    while (System.nanoTime() < end) {
      attack(random);
    }
    assertThat(client.call("ListSpaces", client.request("ListSpaces"))).isNotNull();
    LOG.info("{} of hostile messages, answered by status: {}", LONG, answers);
  }

  private void attack(RandomGenerator random) {
    String method = methods.get(random.nextInt(methods.size()));
    byte[] message = right.get(random.nextInt(right.size())).clone();
    for (int i = random.nextInt(4); i > 0 && message.length > 0; i--) {
      message[random.nextInt(message.length)] = (byte) random.nextInt();
    }
    if (random.nextInt(3) == 0) {
      message = Arrays.copyOf(message, random.nextInt(message.length * 2 + 1));
    }
    if (message.length > HALF.length && random.nextInt(4) == 0) {
      System.arraycopy(HALF, 0, message, random.nextInt(message.length - HALF.length), HALF.length);
    }
    byte[] sent = message;
    try {
      client.callRaw(method, sent, random.nextInt(8) == 0 ? PACKED : CallOptions.DEFAULT);
      answers.merge(Status.Code.OK, 1, Integer::sum);
    } catch (StatusRuntimeException e) {
      String code = String.valueOf(e.getTrailers());
      assertThat(code).as(method + " " + Arrays.toString(sent)).doesNotContain("_INTERNAL");
      assertThat(e.getStatus().getCode())
          .as(method + " " + Arrays.toString(sent))
          .isNotIn(
              Status.Code.UNIMPLEMENTED,
              Status.Code.UNAVAILABLE,
              Status.Code.UNKNOWN,
              Status.Code.INTERNAL);
      answers.merge(e.getStatus().getCode(), 1, Integer::sum);
    }
  }
}
