/**
 * Values without fields on the wire.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff.scalar;

import org.jspecify.annotations.NullMarked;
