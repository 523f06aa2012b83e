/**
 * Diagnosis: checks that turn a snapshot of the engine and its history into findings.
 * Uses {@code descriptor}, {@code spring.discovery} and the engine's public API;
 * {@code endpoint} takes the snapshots and shows the findings. A check is a function
 * without state; besides the snapshot it reads only the number of processors. It gives
 * the numbers that show the problem, and the property to change, null if there is none.
 * Thresholds are constants of the class of the check, of {@code HistoryWindow} or of
 * {@code DiagnosticSnapshot}.
 * <p>
 * {@code FindingHistory} keeps the findings of earlier runs. It is thread-safe, because
 * the thread of {@code DiagnosticScheduler} and readers of the endpoint run the checks.
 * Without a history of the engine there is no scheduler, and checks run only when the
 * endpoint is read.
 */
@NullMarked
package io.rpcboot.spring.actuate.findings;

import org.jspecify.annotations.NullMarked;
