/**
 * JSON of values, by the streams of Jackson: readers and writers of the nodes in the
 * graph of types.
 */
@NullMarked
package io.rpcboot.internal.serialization.json;

import org.jspecify.annotations.NullMarked;
