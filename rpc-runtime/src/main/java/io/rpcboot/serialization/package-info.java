/**
 * Objects to bytes and back: the serializer interface over byte ranges.
 */
@NullMarked
package io.rpcboot.serialization;

import org.jspecify.annotations.NullMarked;
