/**
 * Nodes of the registry in ZooKeeper: paths, content, access, and blocking operations.
 * The rooms {@code directory} and {@code registry.zookeeper} use it; it depends on the
 * values of {@code registry} and on Curator. Operations block and are for the registry
 * thread only; a malformed node is skipped, never fatal.
 */
@NullMarked
package io.rpcboot.internal.registry.zookeeper.node;

import org.jspecify.annotations.NullMarked;
