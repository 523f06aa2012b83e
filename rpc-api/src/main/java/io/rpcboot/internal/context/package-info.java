/**
 * Calls and options of threads. {@code io.rpcboot.context} reads them and the engine
 * writes them: its threads name the task that they run, and other threads carry what was
 * taken along. It uses nothing but the JDK, because interfaces of services depend on it.
 */
@NullMarked
package io.rpcboot.internal.context;

import org.jspecify.annotations.NullMarked;
