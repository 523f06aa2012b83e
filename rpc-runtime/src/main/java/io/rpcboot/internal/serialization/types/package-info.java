/**
 * Codecs of services over a graph of types, in any format, also for a peer with another
 * contract. Used by both serializers; uses the rooms {@code graph}, {@code kind} and
 * {@code value} below. Each format extends {@code Format}, and the rules of types,
 * contracts and evolution are the same in every format. Links to a peer are created by
 * the first message of a method, and bounded by the own types.
 */
@NullMarked
package io.rpcboot.internal.serialization.types;

import org.jspecify.annotations.NullMarked;
