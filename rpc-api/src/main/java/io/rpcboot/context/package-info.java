/**
 * Context of a call: attachments, deadline, cancellation and connection. Uses
 * {@code io.rpcboot} and the current task of a thread; implementations of services,
 * callers and interceptors use it, and the engine implements {@code RpcContext}. Contexts
 * follow the thread: another thread has one only if it was taken along.
 */
@NullMarked
package io.rpcboot.context;

import org.jspecify.annotations.NullMarked;
