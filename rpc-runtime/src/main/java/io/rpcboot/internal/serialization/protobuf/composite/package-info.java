/**
 * Types of values with fields or elements: classes, choices, collections, arrays, maps
 * and holders. Used by the format only; uses the scalar types, the schema, the wire and
 * the graph of types. Fields are read in any order and unknown ones are skipped. Types
 * are linked after all of them were created, because a class may contain itself.
 */
@NullMarked
package io.rpcboot.internal.serialization.protobuf.composite;

import org.jspecify.annotations.NullMarked;
