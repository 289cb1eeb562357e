package dev.caliber.app.shell;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A text that a command reads: a file, or the standard input.
 *
 * @param name as diagnostics show it
 */
public record SourceFile(String name, String text) {
  public static final String STANDARD_INPUT = "-";

  private static final String STANDARD_INPUT_NAME = "<stdin>";
  private static final DataSize SIZE_BOUND = DataSize.parse("16MiB");

  /** Reads the file that an argument names; {@code -} is the standard input. */
  public static SourceFile read(CommandContext commandContext, String argument) throws IOException {
    if (argument.equals(STANDARD_INPUT)) {
      InputStream in = commandContext.terminal().in();
      return new SourceFile(STANDARD_INPUT_NAME, text(in, Path.of(STANDARD_INPUT_NAME)));
    }
    Path file = commandContext.requireFile(Path.of(argument));
    try (InputStream in = Files.newInputStream(file)) {
      return new SourceFile(argument, text(in, file));
    }
  }

  /** Returns the text of the file that an argument names. */
  public static String content(CommandContext commandContext, String argument) {
    try {
      return read(commandContext, argument).text();
    } catch (IOException e) {
      throw AppException.of(e);
    }
  }

  /** Returns the argument itself; {@code -} reads the standard input, without its last line end. */
  public static String argumentText(CommandContext commandContext, String argument) {
    return argument.equals(STANDARD_INPUT)
        ? content(commandContext, argument).stripTrailing()
        : argument;
  }

  public boolean isStandardInput() {
    return name.equals(STANDARD_INPUT_NAME);
  }

  private static String text(InputStream in, Path file) throws IOException, CaliberException {
    byte[] bytes = in.readNBytes((int) SIZE_BOUND.bytes() + 1);
    if (bytes.length > SIZE_BOUND.bytes()) {
      throw AppException.unreadable(file, "it has more than " + SIZE_BOUND);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw AppException.unreadable(file, "it is not UTF-8 text");
    }
  }
}
