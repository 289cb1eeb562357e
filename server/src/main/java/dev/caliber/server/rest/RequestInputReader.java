package dev.caliber.server.rest;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.InputTextCheck;
import dev.caliber.server.operation.ServerException;
import io.javalin.http.Context;
import io.javalin.http.UploadedFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A reader that merges the path, the query and the body of a request into one JSON object. */
final class RequestInputReader {
  private static final Logger LOG = LoggerFactory.getLogger(RequestInputReader.class);

  private static final String LIST_SEPARATOR = ",";

  private final Map<String, ParameterKind> properties = new HashMap<>();
  private final RequestBodyReader requestBodyReader;

  /** The JSON type of a text parameter. */
  private enum ParameterKind {
    TEXT,
    WHOLE,
    REAL,
    FLAG,
    LIST
  }

  /** Creates the reader of an input type, whose components are inspected once. */
  RequestInputReader(Class<? extends Record> input, RequestBodyReader requestBodyReader) {
    this.requestBodyReader = requestBodyReader;
    for (RecordComponent component : input.getRecordComponents()) {
      properties.put(toSnakeCase(component.getName()), parameterKind(component.getGenericType()));
    }
  }

  ObjectNode readInput(Context context) {
    ObjectNode input = readContent(context);
    context.queryParamMap().forEach((name, values) -> putParameter(input, name, values));
    context.pathParamMap().forEach((name, value) -> putParameter(input, name, List.of(value)));
    return input;
  }

  private ObjectNode readContent(Context context) {
    if (HttpAuthenticator.isSafeMethod(context.method())) {
      return Json.mapper().createObjectNode();
    }
    return context.isMultipartFormData() ? readForm(context) : readBody(context);
  }

  /** Reads the body; an empty one is an empty object. */
  private ObjectNode readBody(Context context) {
    byte[] bytes = requestBodyReader.read(context);
    if (bytes.length == 0) {
      return Json.mapper().createObjectNode();
    }
    String type = context.contentType();
    if (type == null || !MediaTypes.isType(type, MediaTypes.JSON)) {
      throw ServerException.unsupportedMediaType(MediaTypes.JSON);
    }
    return parseObject(bytes);
  }

  /**
   * Reads a form: fields are properties; files are under {@code files}, by the name of their field.
   */
  private ObjectNode readForm(Context context) {
    ObjectNode input = Json.mapper().createObjectNode();
    Map<String, List<UploadedFile>> uploaded = uploadedFiles(context);
    context
        .formParamMap()
        .forEach(
            (name, values) -> {
              if (!uploaded.containsKey(name)) {
                putParameter(input, name, values);
              }
            });
    ObjectNode files = input.putObject("files");
    uploaded.forEach((path, all) -> all.forEach(file -> files.put(path, readBytes(file))));
    return input;
  }

  /** Reads the files; Javalin throws any exception of its parser. */
  private static Map<String, List<UploadedFile>> uploadedFiles(Context context) {
    try {
      return context.uploadedFileMap();
    } catch (Exception e) {
      LOG.debug("A form was refused", e);
      throw ServerException.invalidInput(
          "", "The body is not a form within server.limits.body-size");
    }
  }

  private static byte[] readBytes(UploadedFile file) {
    try (InputStream content = file.content()) {
      return content.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ObjectNode parseObject(byte[] bytes) {
    try {
      JsonNode read = Json.mapper().readTree(bytes);
      if (read instanceof ObjectNode object) {
        InputTextCheck.requireStorable(object);
        return object;
      }
    } catch (StreamConstraintsException _) {
      throw ServerException.invalidInput("", "The JSON exceeds the limits of depth or length");
    } catch (JacksonException _) {
      throw ServerException.invalidInput("", "The body is not well-formed JSON");
    }
    throw ServerException.invalidInput("", "Expected a JSON object");
  }

  private void putParameter(ObjectNode input, String name, List<String> values) {
    ParameterKind parameterKind = properties.get(name);
    if (parameterKind == null) {
      throw ServerException.invalidInput("/" + name, "Unknown parameter");
    }
    if (values.isEmpty()) { // not decodable
      throw ServerException.invalidInput("/" + name, "Expected percent-encoded UTF-8");
    }
    String value = values.getLast();
    try {
      switch (parameterKind) {
        case TEXT -> input.put(name, value);
        case WHOLE -> input.put(name, Integer.parseInt(value));
        case REAL -> input.put(name, Double.parseDouble(value));
        case FLAG -> input.put(name, parseFlag(name, value));
        case LIST -> addAll(input.putArray(name), values);
      }
    } catch (NumberFormatException _) {
      throw ServerException.invalidInput("/" + name, "Expected a number");
    }
  }

  private static boolean parseFlag(String name, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw ServerException.invalidInput("/" + name, "Expected true or false");
    };
  }

  private static void addAll(ArrayNode array, List<String> values) {
    values.forEach(value -> List.of(value.split(LIST_SEPARATOR, -1)).forEach(array::add));
  }

  private static ParameterKind parameterKind(Type type) {
    if (type instanceof ParameterizedType generic) {
      return generic.getRawType() == Optional.class
          ? parameterKind(generic.getActualTypeArguments()[0])
          : ParameterKind.LIST;
    }
    if (type == Integer.class || type == int.class) {
      return ParameterKind.WHOLE;
    }
    if (type == Double.class || type == double.class) {
      return ParameterKind.REAL;
    }
    return type == Boolean.class || type == boolean.class ? ParameterKind.FLAG : ParameterKind.TEXT;
  }

  private static String toSnakeCase(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
