package io.rpcboot.benchmarks.dubbo;

import io.rpcboot.benchmarks.system.RpcSystemContract;

/**
 * Tests of {@link DubboSystem}.
 */
class DubboSystemIntegrationTests extends RpcSystemContract {

}
