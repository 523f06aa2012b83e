package io.rpcboot.benchmarks.rocketmq;

import io.rpcboot.benchmarks.system.RpcSystemContract;

/**
 * Tests of {@link RocketMqSystem}.
 */
class RocketMqSystemIntegrationTests extends RpcSystemContract {

}
