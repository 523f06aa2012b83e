/**
 * Threads that run user code.
 */
@NullMarked
package io.rpcboot.internal.concurrent;

import org.jspecify.annotations.NullMarked;
