/**
 * Scalar values: surrogates, exact types, numbers and the budget of a reader.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.value;

import org.jspecify.annotations.NullMarked;
