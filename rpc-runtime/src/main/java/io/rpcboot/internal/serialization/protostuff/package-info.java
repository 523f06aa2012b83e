/**
 * The protostuff format: codecs of methods over the type graph.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff;

import org.jspecify.annotations.NullMarked;
