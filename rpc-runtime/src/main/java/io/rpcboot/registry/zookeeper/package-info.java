/**
 * Registry in ZooKeeper, through Curator, and an embedded server for development.
 * Applications use {@link io.rpcboot.registry.zookeeper.ZooKeeperRegistry} and its
 * options; the entry uses {@code internal.registry.zookeeper.directory} and {@code node},
 * which see the options only. All work runs on one thread, no call of a user waits for
 * ZooKeeper, and a list that was not empty never becomes empty.
 */
@NullMarked
package io.rpcboot.registry.zookeeper;

import org.jspecify.annotations.NullMarked;
