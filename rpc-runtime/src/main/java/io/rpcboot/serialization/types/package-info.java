/**
 * What a service carries, known once for every format: one walk over Java types, one
 * graph of nodes, one linker for the contract of a peer. Internal: a format compiles or
 * walks the graph, nobody else needs it.
 */
@NullMarked
package io.rpcboot.serialization.types;

import org.jspecify.annotations.NullMarked;
