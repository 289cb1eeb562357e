package dev.caliber.app.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Declaration of a command that runs an operation: its help, its options, which are properties of
 * the operation's input, and the output of the answer.
 *
 * <pre>{@code
 * OperationCommand.named(commandContext, "revoke", "Revoke a lease.")
 *     .parameter("LEASE", "id", Id::parse, "The lease's id, as 'caliber leases list' shows it.")
 *     .actor()
 *     .prints("revoke_lease", Lease.class, lease -> "'%s' is revoked.".formatted(lease.id()));
 * }</pre>
 */
public final class OperationCommand {
  private static final String STAMP = "stamp";

  private final CommandContext commandContext;
  private final CommandSpec spec;
  private final List<InputArgument> arguments = new ArrayList<>();
  private final AuditStampOptions stamp = new AuditStampOptions();
  private final ActorNameOption actor = new ActorNameOption();
  private final TrajectoryParameter trajectory = new TrajectoryParameter();
  private Optional<String> trajectoryProperty = Optional.empty();
  private Optional<FilterOptions> filter = Optional.empty();
  private Function<OperationInput, StoreUse> storeUse = _ -> StoreUse.EXISTING;
  private Optional<Function<OperationInput, ExitCode>> alone = Optional.empty();
  private CommandBody body = (_, _) -> ExitCode.OK;

  /** An option or parameter, and the property that its value becomes. */
  private record InputArgument(ArgSpec argument, String property, Function<Object, ?> parser) {
    void addTo(OperationInput input) {
      @Nullable Object given = argument.getValue();
      if (given != null) {
        input.with(property, parser.apply(given));
      }
    }
  }

  /** The work of a command that is more than one operation. */
  @FunctionalInterface
  public interface CommandBody {
    ExitCode run(StoreOperations operations, OperationInput input);
  }

  private OperationCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
    Callable<Integer> call = this::call;
    this.spec = CommandSpec.wrapWithoutInspection(call);
  }

  public static OperationCommand named(CommandContext commandContext, String name, String header) {
    OperationCommand command = new OperationCommand(commandContext);
    command.spec.name(name).usageMessage().header(header);
    return command;
  }

  public OperationCommand description(String... lines) {
    spec.usageMessage().description(lines);
    return this;
  }

  public OperationCommand examples(String... lines) {
    spec.usageMessage().footerHeading("%nExamples:%n").footer(lines);
    return this;
  }

  /** Declares an option whose text is the property. */
  public OperationCommand option(String name, String label, String property, String description) {
    return option(name, label, property, text -> text, description);
  }

  /** Declares an option whose text is parsed; the parser refuses a wrong one. */
  public OperationCommand option(
      String name, String label, String property, Function<String, ?> parser, String description) {
    return option(name, label, property, String.class, parser, description);
  }

  /** Declares an option whose value picocli converts to the type. */
  public OperationCommand option(
      String name, String label, String property, Class<?> type, String description) {
    return option(name, label, property, type, value -> value, description);
  }

  /** Declares an option whose value picocli converts to the type, and a parser then checks. */
  public <V> OperationCommand option(
      String name,
      String label,
      String property,
      Class<V> type,
      Function<V, ?> parser,
      String description) {
    OptionSpec.Builder option = OptionSpec.builder(name).type(type).paramLabel(label);
    return argument(option.description(description).build(), property, type, parser);
  }

  public OperationCommand flag(String name, String property, String description) {
    OptionSpec.Builder option = OptionSpec.builder(name).type(boolean.class).arity("0");
    return argument(option.description(description).build(), property);
  }

  /** Declares the next parameter, whose text is parsed. */
  public OperationCommand parameter(
      String label, String property, Function<String, ?> parser, String description) {
    return parameter("1", label, property, parser, description);
  }

  /** Declares the next parameter, which may be left out. */
  public OperationCommand optionalParameter(
      String label, String property, Function<String, ?> parser, String description) {
    return parameter("0..1", label, property, parser, description);
  }

  private OperationCommand parameter(
      String arity, String label, String property, Function<String, ?> parser, String description) {
    PositionalParamSpec parameter =
        PositionalParamSpec.builder()
            .index(Integer.toString(spec.positionalParameters().size()))
            .type(String.class)
            .paramLabel(label)
            .arity(arity)
            .required(arity.equals("1"))
            .description(description)
            .build();
    return argument(parameter, property, String.class, parser);
  }

  /** Declares an option or parameter whose value is the property as it is. */
  public OperationCommand argument(ArgSpec argument, String property) {
    return argument(argument, property, Object.class, value -> value);
  }

  private <V> OperationCommand argument(
      ArgSpec argument, String property, Class<V> type, Function<V, ?> parser) {
    spec.add(argument);
    arguments.add(new InputArgument(argument, property, value -> parser.apply(type.cast(value))));
    return this;
  }

  /** Declares the parameter TRAJECTORY, a session or an id, whose id is the property. */
  public OperationCommand trajectory(String property) {
    trajectoryProperty = Optional.of(property);
    spec.addMixin("trajectory", CommandSpec.forAnnotatedObject(trajectory));
    return this;
  }

  /** Declares the option {@code --actor}. */
  public OperationCommand actor() {
    spec.addMixin("actor", CommandSpec.forAnnotatedObject(actor));
    return this;
  }

  /** Declares the options {@code --actor} and {@code --metadata}. */
  public OperationCommand stamp() {
    spec.addMixin(STAMP, CommandSpec.forAnnotatedObject(stamp));
    return this;
  }

  /** Declares the options that select records. */
  public OperationCommand filter() {
    FilterOptions options = new FilterOptions();
    filter = Optional.of(options);
    spec.addMixin("filter", CommandSpec.forAnnotatedObject(options));
    return this;
  }

  /** Lets the command create the store if there is none. */
  public OperationCommand creatingStore() {
    return using(_ -> StoreUse.CREATED_IF_MISSING);
  }

  /**
   * Sets what the command needs of the store. The function may refuse options that contradict each
   * other, and takes from the input what is for the command alone.
   */
  public OperationCommand using(Function<OperationInput, StoreUse> needs) {
    storeUse = needs;
    return this;
  }

  /** Returns a command that prints all records of a list. */
  public <T> CommandLine lists(String operation, Class<T> type, RecordTable<T> table) {
    return lists(operation, type, record -> record, table);
  }

  /** Returns a command that prints a part of each record of a list. */
  public <S, T> CommandLine lists(
      String operation, Class<S> type, Function<S, T> part, RecordTable<T> table) {
    return runs(
        (operations, input) -> {
          List<T> records = operations.list(operation, input, type).stream().map(part).toList();
          CommandOutput output = commandContext.output();
          output.printResults(records, () -> table.print(records, output.terminal()));
          return ExitCode.OK;
        });
  }

  /** Returns a command that prints the answer of an operation as one line. */
  public <T> CommandLine prints(String operation, Class<T> type, Function<T, String> text) {
    return prints(operation, type, answer -> answer, text);
  }

  /** Returns a command that prints a part of the answer of an operation as one line. */
  public <S, T> CommandLine prints(
      String operation, Class<S> type, Function<S, T> part, Function<T, String> text) {
    return runs(
        (operations, input) -> {
          T answer = part.apply(operations.call(operation, input, type));
          commandContext.output().printResult(answer, text.apply(answer));
          return ExitCode.OK;
        });
  }

  /** Returns a command that shows the answer of an operation to people in a way of its own. */
  public <T> CommandLine shows(String operation, Class<T> type, Consumer<T> printer) {
    return runs(
        (operations, input) -> {
          T answer = operations.call(operation, input, type);
          commandContext.output().printResult(answer, () -> printer.accept(answer));
          return ExitCode.OK;
        });
  }

  /** Returns a command that runs no operation, because it needs the store's files or no store. */
  public CommandLine runsAlone(Function<OperationInput, ExitCode> work) {
    alone = Optional.of(work);
    return new CommandLine(spec);
  }

  public CommandLine runs(CommandBody other) {
    body = other;
    return new CommandLine(spec);
  }

  private String actorName() {
    return spec.mixins().containsKey(STAMP)
        ? stamp.actor(commandContext)
        : actor.name(commandContext.environment());
  }

  private Integer call() {
    OperationInput input = OperationInput.empty();
    arguments.forEach(one -> one.addTo(input));
    if (alone.isPresent()) {
      return alone.get().apply(input).number();
    }
    filter.ifPresent(options -> options.addTo(input));
    if (spec.mixins().containsKey(STAMP)) {
      input.with("metadata", stamp.metadata());
    }
    try (StoreOperations operations =
        commandContext.operations(storeUse.apply(input), actorName())) {
      trajectoryProperty.ifPresent(
          property -> input.with(property, trajectory.resolveId(operations)));
      return body.run(operations, input).number();
    }
  }
}
