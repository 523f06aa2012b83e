/**
 * Types of values without fields: numbers, texts, byte arrays, enums, arrays and the
 * value types of the JDK. Used by {@code protostuff.composite} and the format; uses the
 * wire and the graph of types. The bytes of a value do not depend on the JDK's private
 * fields, and each reader charges the heap that its objects take to the read budget.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff.scalar;

import org.jspecify.annotations.NullMarked;
