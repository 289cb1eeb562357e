package dev.caliber.agents;

/**
 * A wish to change what agents share, and with {@link Agents#run} its answer. The set is closed:
 * whoever handles commands handles all of them.
 *
 * @param <R> what it answers
 */
public sealed interface AgentCommand<R>
    permits RegisterAgent,
        UnregisterAgent,
        MoveAgent,
        Beat,
        AcquireLease,
        RenewLease,
        ReleaseLease,
        RevokeLease,
        LeaveQueue,
        SendMessage,
        ReceiveMessages,
        AcknowledgeMessage,
        ReturnMessage,
        ReviveMessage,
        WorkOn,
        Delegate,
        MoveDelegation,
        HandOver,
        MoveHandoff,
        ReportConflict,
        MoveConflict {}
