/**
 * Values with fields or elements on the wire.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff.composite;

import org.jspecify.annotations.NullMarked;
