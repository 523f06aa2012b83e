/**
 * The default serializer: protostuff's wire format over a closed world of types.
 */
@NullMarked
package io.rpcboot.serialization.protostuff;

import org.jspecify.annotations.NullMarked;
