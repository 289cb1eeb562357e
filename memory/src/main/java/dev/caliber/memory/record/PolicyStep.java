package dev.caliber.memory.record;

import dev.caliber.kernel.config.PolicyAction;

/** Action of a run, and the policy that asks for it. */
public record PolicyStep(String policy, PolicyAction action, String target) {}
