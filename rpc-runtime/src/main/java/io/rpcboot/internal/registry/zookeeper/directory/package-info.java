/**
 * Registrations and discovery of the registry in ZooKeeper. Only {@code
 * registry.zookeeper} uses it, through
 * {@link io.rpcboot.internal.registry.zookeeper.directory.DirectorySession}; it reads and
 * writes through {@code node}. Everything runs on the registry thread: each event leads
 * to a fresh read, and each failure to a new synchronization of everything.
 */
@NullMarked
package io.rpcboot.internal.registry.zookeeper.directory;

import org.jspecify.annotations.NullMarked;
