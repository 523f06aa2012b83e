/**
 * Kinds of classes: collections, maps, holders and classes with fields, and how instances
 * are created. Used by {@code graph}, {@code walk} and all formats; uses {@code value}
 * and the public serialization rooms. A kind knows nothing of bytes. It refuses values
 * that it could not rebuild, such as a set that does not find its keys by {@code equals}.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.kind;

import org.jspecify.annotations.NullMarked;
