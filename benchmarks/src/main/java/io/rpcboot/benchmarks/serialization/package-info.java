/**
 * Compares serializers, without a network: the JMH benchmark, the candidates, and the
 * command that runs it on each JDK and prints the table.
 */
@NullMarked
package io.rpcboot.benchmarks.serialization;

import org.jspecify.annotations.NullMarked;
