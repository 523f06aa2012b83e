package io.rpcboot.benchmarks;

/**
 * The run with a client that fires without limit.
 *
 * @param seconds how long it fires, 0 for no such run
 * @param system whose client and server
 */
record OverloadOptions(int seconds, String system) {

}
