/**
 * The last good lists of instances in a file, for a client that starts while its registry
 * is away.
 */
@NullMarked
package io.rpcboot.registry.snapshot;

import org.jspecify.annotations.NullMarked;
