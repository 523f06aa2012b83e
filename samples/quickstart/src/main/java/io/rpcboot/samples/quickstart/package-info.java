/** Quickstart: ZooKeeper, a provider and a consumer in one JVM, with one command. */
@NullMarked
package io.rpcboot.samples.quickstart;

import org.jspecify.annotations.NullMarked;
