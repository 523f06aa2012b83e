/**
 * Walks from a service interface through its types and builds the graph and the contract.
 * Used by all formats at start-up; uses {@code graph}, {@code kind} and {@code value}.
 * Every type is resolved to a class with type arguments or refused with the path to it, a
 * reason and a remedy. Reflection happens here; a call uses method handles.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.walk;

import org.jspecify.annotations.NullMarked;
