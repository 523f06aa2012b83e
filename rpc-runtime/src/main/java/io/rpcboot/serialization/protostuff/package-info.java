/**
 * The default serializer: protostuff's wire format over a closed world of types. Used by
 * applications and as the default of client and server; uses
 * {@code internal.serialization.protostuff}. No class name is on the wire. The world of
 * types is closed: a type that a service cannot reach cannot arrive.
 */
@NullMarked
package io.rpcboot.serialization.protostuff;

import org.jspecify.annotations.NullMarked;
