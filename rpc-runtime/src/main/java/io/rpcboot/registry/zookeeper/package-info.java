/**
 * The registry in ZooKeeper, through Curator.
 */
@NullMarked
package io.rpcboot.registry.zookeeper;

import org.jspecify.annotations.NullMarked;
