/**
 * Types of fields, and those of values without fields: numbers, texts, byte arrays,
 * enums, arrays of primitives, times and the value types of the JDK. Used by
 * {@code protobuf.composite} and the format; uses the wire and the schema. A type reads a
 * field in steps, because its values may be in several places of a message, and charges
 * the heap that its objects take to the read budget.
 */
@NullMarked
package io.rpcboot.internal.serialization.protobuf.scalar;

import org.jspecify.annotations.NullMarked;
