/**
 * Serialization by a graph of types: codecs of methods that link a peer's contract to
 * local classes.
 */
@NullMarked
package io.rpcboot.internal.serialization.types;

import org.jspecify.annotations.NullMarked;
