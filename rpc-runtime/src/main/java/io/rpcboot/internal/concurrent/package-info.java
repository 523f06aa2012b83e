/**
 * Threads that run user code, the health of threads, and small concurrent helpers.
 * <p>
 * Uses nothing but the logging API; every room that has threads uses it. No exception of
 * a task ends a thread of the engine. If an irreplaceable thread ends,
 * {@link io.rpcboot.internal.concurrent.EngineHealth} shows it for good.
 */
@NullMarked
package io.rpcboot.internal.concurrent;

import org.jspecify.annotations.NullMarked;
