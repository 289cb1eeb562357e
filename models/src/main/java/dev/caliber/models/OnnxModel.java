package dev.caliber.models;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Map;

/**
 * BERT model in ONNX's runtime, which turns the word pieces of one text into the mean of their
 * output vectors. Safe for many threads; each call keeps one core busy.
 */
final class OnnxModel implements AutoCloseable {
  /*
   * One text per run, never a padded batch: on a CPU a batch is no faster, its padding is work, and
   * in a quantised model the texts of a batch change each other's vectors. Figures:
   * docs/decisions/0025-embedding-in-process.md
   */

  private final String name;
  private final OrtEnvironment environment;
  private final OrtSession session;

  private OnnxModel(String name, OrtEnvironment environment, OrtSession session) {
    this.name = name;
    this.environment = environment;
    this.session = session;
  }

  static OnnxModel load(String name, byte[] file) {
    try (var options = new SessionOptions()) {
      var environment = OrtEnvironment.getEnvironment();
      environment.setTelemetry(false);
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      // With it, patterns are kept for each length of text ever seen: memory that only grows.
      options.setMemoryPatternOptimization(false);
      return new OnnxModel(name, environment, environment.createSession(file, options));
    } catch (OrtException | UnsatisfiedLinkError | NoClassDefFoundError e) {
      throw ModelsException.notLoaded(name, e);
    }
  }

  float[] run(long[] pieces) {
    long[] ones = new long[pieces.length];
    Arrays.fill(ones, 1);
    try (var ids = tensor(pieces);
        var mask = tensor(ones);
        var types = tensor(new long[pieces.length]);
        var result =
            session.run(
                Map.of("input_ids", ids, "attention_mask", mask, "token_type_ids", types))) {
      return mean(((OnnxTensor) result.get(0)).getFloatBuffer(), pieces.length);
    } catch (OrtException e) {
      throw ModelsException.embeddingFailed(name, e);
    }
  }

  private OnnxTensor tensor(long[] values) throws OrtException {
    return OnnxTensor.createTensor(
        environment, LongBuffer.wrap(values), new long[] {1, values.length});
  }

  private static float[] mean(FloatBuffer states, int pieces) {
    int dimensions = states.remaining() / pieces;
    var mean = new float[dimensions];
    for (int at = 0; at < pieces * dimensions; at++) {
      mean[at % dimensions] += states.get(at) / pieces;
    }
    return mean;
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw ModelsException.embeddingFailed(name, e);
    }
  }
}
