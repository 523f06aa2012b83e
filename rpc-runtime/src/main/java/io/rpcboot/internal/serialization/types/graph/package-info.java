/**
 * Graph of the types of a service: one node for each type, from which every format is
 * built. Filled by {@code walk}, read by {@code types} and all formats; uses {@code kind}
 * and {@code value}. Nodes are linked after all of them were created, because types may
 * lead back to themselves, and are immutable afterwards. A type without a node cannot be
 * on the wire.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.graph;

import org.jspecify.annotations.NullMarked;
