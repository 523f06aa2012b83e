/**
 * Snapshot of a registry: the last lists of instances in a file, for a client that starts
 * while its registry is unreachable. The class
 * {@link io.rpcboot.registry.snapshot.SnapshotRegistry} decorates any registry; it
 * depends on {@code registry} and the options only. The file is replaced as a whole,
 * belongs to one user and is read and written on one thread; the registry takes
 * precedence as soon as it names instances.
 */
@NullMarked
package io.rpcboot.registry.snapshot;

import org.jspecify.annotations.NullMarked;
