/**
 * Nodes of the registry in ZooKeeper: paths, content, access.
 */
@NullMarked
package io.rpcboot.internal.registry.zookeeper.node;

import org.jspecify.annotations.NullMarked;
