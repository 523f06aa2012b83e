/**
 * Canonical JSON of protobuf for messages that are known by their descriptors alone:
 * translates JSON into the bytes of a message and back, value by value and without an
 * object of the message. Used by protocols whose messages may be JSON, around the codec
 * in protobuf. Needs jackson-core.
 */
@NullMarked
package io.rpcboot.internal.serialization.protobuf.json;

import org.jspecify.annotations.NullMarked;
