package dev.caliber.models;

import dev.caliber.models.ModelsConfig.Weights;
import dev.caliber.store.spi.Embedder.Purpose;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The two builds of e5-small-v2 and what the model's card says about using it. */
enum E5 {
  FULL("e5-small-v2"),
  QUANTISED("e5-small-v2-q");

  static final int DIMENSIONS = 384;

  /** The most pieces that the model sees at once, start and end included. */
  static final int WINDOW = 512;

  /* Raised whenever pieces, parts or pooling change, since then the vectors do. */
  private static final String REVISION = ":1";

  private final String file;

  E5(String file) {
    this.file = file;
  }

  static E5 of(Weights weights) {
    return switch (weights) {
      case FULL -> FULL;
      case QUANTISED -> QUANTISED;
    };
  }

  /** Names the vectors. */
  String model() {
    return file + REVISION;
  }

  static String prefix(Purpose purpose) {
    return switch (purpose) {
      case QUERY -> "query: ";
      case PASSAGE -> "passage: ";
    };
  }

  /** Looks without reading. */
  void requireFiles() {
    for (String resource : List.of(tokenizer(), weights())) {
      if (E5.class.getResource(resource) == null) {
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

  WordPieces pieces() {
    return WordPieces.parse(read(tokenizer()));
  }

  OnnxModel load() {
    return OnnxModel.load(file, read(weights()));
  }

  private byte[] read(String resource) {
    try (InputStream in = E5.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw ModelsException.fileMissing(file, resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw ModelsException.notLoaded(file, e);
    }
  }
}
