/**
 * RocketMQ remoting behind the measured calls.
 */
@NullMarked
package io.rpcboot.benchmarks.rocketmq;

import org.jspecify.annotations.NullMarked;
