package dev.caliber.agents.command;

import dev.caliber.agents.Agents;

/**
 * Command that changes shared records of agents; {@link Agents#run} runs it. The set is closed, so
 * that every handler covers all commands.
 *
 * @param <R> the type of its result
 */
public sealed interface AgentCommand<R>
    permits RegisterAgent,
        UnregisterAgent,
        TransitionAgent,
        RecordHeartbeats,
        AcquireLease,
        RenewLease,
        ReleaseLease,
        RevokeLease,
        LeaveLeaseQueue,
        SendMessage,
        ReceiveMessages,
        AcknowledgeMessage,
        ReturnMessage,
        RequeueMessage,
        AssignTask,
        CreateDelegation,
        TransitionDelegation,
        StartHandoff,
        TransitionHandoff,
        ReportConflict,
        TransitionConflict {}
