/**
 * A serializer that writes JSON, for people who read along.
 */
@NullMarked
package io.rpcboot.serialization.jackson;

import org.jspecify.annotations.NullMarked;
