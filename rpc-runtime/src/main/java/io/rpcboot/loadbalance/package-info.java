/**
 * Chooses one instance of many. A {@link io.rpcboot.loadbalance.LoadBalancer} gets the
 * {@link io.rpcboot.loadbalance.Candidates} of a call and returns the index of one. For
 * example, the less busy of two that were chosen at random: <pre>{@code
 * int choose(Candidates candidates) {
 *     ThreadLocalRandom random = ThreadLocalRandom.current();
 *     int one = random.nextInt(candidates.size());
 *     int other = random.nextInt(candidates.size());
 *     return candidates.pendingCalls(one) <= candidates.pendingCalls(other) ? one : other;
 * }
 * }</pre>
 */
@NullMarked
package io.rpcboot.loadbalance;

import org.jspecify.annotations.NullMarked;
