package io.rpcboot.internal.concurrent;

/** A task of the engine that never blocks: any thread may run it at once. */
@FunctionalInterface
public interface NonBlockingTask extends Runnable {

}
