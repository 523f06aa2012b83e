/**
 * Kinds of classes: collections, maps, holders, structs and how they are created.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.kind;

import org.jspecify.annotations.NullMarked;
