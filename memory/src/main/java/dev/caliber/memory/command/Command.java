package dev.caliber.memory.command;

/**
 * Command that changes memory; {@link dev.caliber.memory.Memory#run} returns its result. The set is
 * closed, so that each handler of commands handles all of them.
 *
 * @param <R> type of the result
 */
public sealed interface Command<R>
    permits StartTrajectory,
        ForkTrajectory,
        SuspendOrResumeTrajectory,
        EndTrajectory,
        OpenScope,
        CloseScope,
        AppendTurns,
        LearnFromTurns,
        CreateArtifacts,
        SupersedeArtifact,
        WriteNote,
        SupersedeNote,
        EndNote,
        PromoteRecord,
        ConsolidateTrajectory,
        SaveCheckpoint,
        RollBackTrajectory,
        ForgetRecords,
        RunPolicy {}
