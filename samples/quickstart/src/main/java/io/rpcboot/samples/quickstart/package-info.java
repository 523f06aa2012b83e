/**
 * One command: ZooKeeper, a provider and a consumer in one JVM.
 */
@NullMarked
package io.rpcboot.samples.quickstart;

import org.jspecify.annotations.NullMarked;
