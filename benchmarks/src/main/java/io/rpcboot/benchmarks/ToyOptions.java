package io.rpcboot.benchmarks;

import java.util.List;

/**
 * The run of a fixed number of calls.
 *
 * @param systems whose clients and servers, one after the other
 * @param threads callers
 * @param requests calls of all callers in a round
 * @param warmupRounds rounds before those that count
 * @param rounds rounds that count
 */
record ToyOptions(List<String> systems, int threads, int requests, int warmupRounds, int rounds) {

}
