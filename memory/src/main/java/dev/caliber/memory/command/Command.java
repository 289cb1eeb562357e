package dev.caliber.memory.command;

/**
 * A wish to change memory, and with {@link dev.caliber.memory.Memory#run} its answer. The set is
 * closed: whoever handles commands handles all of them.
 *
 * @param <R> what it answers
 */
public sealed interface Command<R>
    permits StartTrajectory,
        ForkTrajectory,
        MoveTrajectory,
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
        Promote,
        Consolidate,
        SaveCheckpoint,
        RollBack,
        Forget,
        RunPolicy {}
