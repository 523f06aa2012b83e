/**
 * Diagnosis: checks that turn a snapshot of the engine and its history into findings.
 * Uses {@code descriptor} and the engine's public API; {@code endpoint} takes the
 * snapshots and shows the findings. A check is a pure function without state, says the
 * numbers that show the problem, and names the property to change; thresholds are
 * constants of its class.
 */
@NullMarked
package io.rpcboot.spring.actuate.findings;

import org.jspecify.annotations.NullMarked;
