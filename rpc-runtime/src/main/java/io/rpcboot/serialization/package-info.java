/**
 * The interface of serializers: objects to byte ranges and back. Implemented by
 * {@code serialization.protostuff} and {@code serialization.jackson}, or by an
 * application; used by client and server. Codecs are created at start-up, once for each
 * service, and refuse types that cannot be sent. Reading never trusts the bytes: lengths,
 * depth and memory are bounded.
 */
@NullMarked
package io.rpcboot.serialization;

import org.jspecify.annotations.NullMarked;
