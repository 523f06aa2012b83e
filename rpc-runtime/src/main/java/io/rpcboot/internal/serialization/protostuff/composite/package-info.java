/**
 * Types of values with fields or elements: beans, records, exceptions, choices,
 * collections, maps and holders. Used by the format only; uses the scalar types, the wire
 * and the graph of types. Types are linked after all of them were created, because a
 * class may contain itself. Method handles are created by the first message that needs
 * them.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff.composite;

import org.jspecify.annotations.NullMarked;
