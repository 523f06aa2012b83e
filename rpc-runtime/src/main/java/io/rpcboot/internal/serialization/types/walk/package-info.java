/**
 * Walk over the types of a service interface that builds the type graph.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.walk;

import org.jspecify.annotations.NullMarked;
