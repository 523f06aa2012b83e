package io.rpcboot.internal.concurrent;

/** A task that never blocks, so that any thread may run it at once. */
@FunctionalInterface
public interface NonBlockingTask extends Runnable {

}
