package io.rpcboot.context;

import org.jspecify.annotations.Nullable;

/**
 * Call that a thread serves and options with which it calls, while it runs a task with
 * options.
 *
 * @param context null for none
 * @param options the options
 */
record CallScope(@Nullable RpcContext context, CallOptions options) {

}
