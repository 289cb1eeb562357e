package dev.caliber.server.rest;

import dev.caliber.kernel.Json;
import dev.caliber.server.operation.InputText;
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

/** Makes one JSON object of the path, the query and the body of a request. */
final class Binding {
  private static final Logger LOG = LoggerFactory.getLogger(Binding.class);

  private static final String LIST_SEPARATOR = ",";

  private final Map<String, Kind> properties = new HashMap<>();
  private final Bodies bodies;

  /** How the text of a parameter is written in JSON. */
  private enum Kind {
    TEXT,
    WHOLE,
    REAL,
    FLAG,
    LIST
  }

  /** For inputs of this type; what its components are is found once. */
  Binding(Class<? extends Record> input, Bodies bodies) {
    this.bodies = bodies;
    for (RecordComponent component : input.getRecordComponents()) {
      properties.put(snake(component.getName()), kind(component.getGenericType()));
    }
  }

  ObjectNode input(Context context) {
    ObjectNode input = content(context);
    context.queryParamMap().forEach((name, values) -> put(input, name, values));
    context.pathParamMap().forEach((name, value) -> put(input, name, List.of(value)));
    return input;
  }

  private ObjectNode content(Context context) {
    if (Gate.isSafe(context.method())) {
      return Json.mapper().createObjectNode();
    }
    return context.isMultipartFormData() ? form(context) : body(context);
  }

  /** An empty body is an empty object. */
  private ObjectNode body(Context context) {
    byte[] bytes = bodies.read(context);
    if (bytes.length == 0) {
      return Json.mapper().createObjectNode();
    }
    String type = context.contentType();
    if (type == null || !MediaTypes.is(type, MediaTypes.JSON)) {
      throw ServerException.unsupportedMediaType(MediaTypes.JSON);
    }
    return object(bytes);
  }

  /** Fields are properties; files go under {@code files}, by the name of their field. */
  private ObjectNode form(Context context) {
    ObjectNode input = Json.mapper().createObjectNode();
    Map<String, List<UploadedFile>> uploaded = uploaded(context);
    context
        .formParamMap()
        .forEach(
            (name, values) -> {
              if (!uploaded.containsKey(name)) {
                put(input, name, values);
              }
            });
    ObjectNode files = input.putObject("files");
    uploaded.forEach((path, all) -> all.forEach(file -> files.put(path, bytes(file))));
    return input;
  }

  /** Javalin hands on whatever its parser throws. */
  private static Map<String, List<UploadedFile>> uploaded(Context context) {
    try {
      return context.uploadedFileMap();
    } catch (Exception e) {
      LOG.debug("A form was refused", e);
      throw ServerException.invalidInput("", "Wanted a form within server.limits.body, found none");
    }
  }

  private static byte[] bytes(UploadedFile file) {
    try (InputStream content = file.content()) {
      return content.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ObjectNode object(byte[] bytes) {
    try {
      JsonNode read = Json.mapper().readTree(bytes);
      if (read instanceof ObjectNode object) {
        InputText.require(object);
        return object;
      }
    } catch (StreamConstraintsException _) {
      throw ServerException.invalidInput(
          "", "Wanted JSON within the limits of depth and length, found more");
    } catch (JacksonException _) {
      throw ServerException.invalidInput("", "Wanted well-formed JSON, found something else");
    }
    throw ServerException.invalidInput("", "Wanted a JSON object, found something else");
  }

  private void put(ObjectNode input, String name, List<String> values) {
    Kind kind = properties.get(name);
    if (kind == null) {
      throw ServerException.invalidInput("/" + name, "There is no such parameter");
    }
    if (values.isEmpty()) { // what could not be decoded
      throw ServerException.invalidInput("/" + name, "Wanted UTF-8, percent-encoded");
    }
    String value = values.getLast();
    try {
      switch (kind) {
        case TEXT -> input.put(name, value);
        case WHOLE -> input.put(name, Integer.parseInt(value));
        case REAL -> input.put(name, Double.parseDouble(value));
        case FLAG -> input.put(name, flag(name, value));
        case LIST -> putAll(input.putArray(name), values);
      }
    } catch (NumberFormatException _) {
      throw ServerException.invalidInput("/" + name, "Wanted a number, found something else");
    }
  }

  private static boolean flag(String name, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw ServerException.invalidInput("/" + name, "Wanted true or false");
    };
  }

  private static void putAll(ArrayNode array, List<String> values) {
    values.forEach(value -> List.of(value.split(LIST_SEPARATOR, -1)).forEach(array::add));
  }

  private static Kind kind(Type type) {
    if (type instanceof ParameterizedType generic) {
      return generic.getRawType() == Optional.class
          ? kind(generic.getActualTypeArguments()[0])
          : Kind.LIST;
    }
    if (type == Integer.class || type == int.class) {
      return Kind.WHOLE;
    }
    if (type == Double.class || type == double.class) {
      return Kind.REAL;
    }
    return type == Boolean.class || type == boolean.class ? Kind.FLAG : Kind.TEXT;
  }

  private static String snake(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
