package io.rpcboot.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Reads the properties of {@link RpcTest}. */
final class RpcTestContextBootstrapper extends TestSliceTestContextBootstrapper<RpcTest> {

}
