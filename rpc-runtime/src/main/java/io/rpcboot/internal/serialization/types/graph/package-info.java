/**
 * Nodes of the type graph.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.graph;

import org.jspecify.annotations.NullMarked;
