/**
 * Auto-configuration of serializers. Uses {@code properties} and the package
 * {@code serialization}; {@code client} and {@code server} use it. A serializer is
 * created when a name selects it, so that an absent library is no error unless it is
 * needed.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.serialization;

import org.jspecify.annotations.NullMarked;
