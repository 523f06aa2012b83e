/**
 * Reading and writing of protostuff's bytes.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff.wire;

import org.jspecify.annotations.NullMarked;
