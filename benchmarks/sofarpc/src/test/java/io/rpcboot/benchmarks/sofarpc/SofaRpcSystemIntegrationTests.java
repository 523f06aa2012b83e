package io.rpcboot.benchmarks.sofarpc;

import io.rpcboot.benchmarks.system.RpcSystemContract;

/**
 * Tests of {@link SofaRpcSystem}.
 */
class SofaRpcSystemIntegrationTests extends RpcSystemContract {

}
