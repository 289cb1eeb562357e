package dev.caliber.models;

import dev.caliber.models.ModelsConfig.ModelWeights;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Builds of e5-small-v2, and the parameters from the model's card. */
enum E5Model {
  FULL("e5-small-v2"),
  QUANTISED("e5-small-v2-q");

  static final int DIMENSIONS = 384;

  /** Largest number of word pieces in one input, start and end included. */
  static final int WINDOW = 512;

  /* Revision of the vectors, raised whenever word pieces, parts or pooling change. */
  private static final String REVISION = ":1";

  private final String file;

  E5Model(String file) {
    this.file = file;
  }

  static E5Model of(ModelWeights modelWeights) {
    return switch (modelWeights) {
      case FULL -> FULL;
      case QUANTISED -> QUANTISED;
    };
  }

  /** Returns the name of the vectors. */
  String model() {
    return file + REVISION;
  }

  static String prefix(EmbeddingPurpose embeddingPurpose) {
    return switch (embeddingPurpose) {
      case QUERY -> "query: ";
      case PASSAGE -> "passage: ";
    };
  }

  /** Checks that the files exist, without reading them. */
  void requireFiles() {
    for (String resource : List.of(tokenizer(), weights())) {
      if (E5Model.class.getResource(resource) == null) {
        throw ModelsException.fileMissing(file, resource);
      }
    }
  }

  private String tokenizer() {
    return "/" + file + "-tokenizer.json";
  }

  private String weights() {
    return "/" + file + ".onnx";
  }

  WordPieceTokenizer loadTokenizer() {
    return WordPieceTokenizer.parse(readResource(tokenizer()));
  }

  OnnxModel loadModel() {
    return OnnxModel.load(file, readResource(weights()));
  }

  private byte[] readResource(String resource) {
    try (InputStream in = E5Model.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw ModelsException.fileMissing(file, resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw ModelsException.notLoaded(file, e);
    }
  }
}
