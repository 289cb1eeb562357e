package dev.caliber.server.operation;

import dev.caliber.agents.command.RequiredPermissions;
import java.util.List;
import java.util.Optional;

/**
 * A call of an operation.
 *
 * @param input the input, as read from the request
 * @param fence the lease that the call depends on
 */
record OperationInvocation<I extends Record, O>(
    Operation<I, O> operation,
    Caller caller,
    I input,
    Optional<FenceParameter> fence,
    OperationRequest request) {

  static <I extends Record, O> OperationInvocation<I, O> of(
      Operation<I, O> operation, Caller caller, OperationRequest request) {
    I input = InputReader.readInput(FenceParameter.removeFrom(request.input()), operation);
    return new OperationInvocation<>(
        operation, caller, input, FenceParameter.of(request.input()), request);
  }

  /** The permissions that an acting agent needs; a fence is used in the name of its agent. */
  RequiredPermissions requiredPermissions() {
    RequiredPermissions needed = operation.requiredPermissions(input);
    return fence
        .flatMap(FenceParameter::agent)
        .map(holder -> needed.and(RequiredPermissions.forAgents(List.of(holder))))
        .orElse(needed);
  }
}
