/**
 * A serializer that writes the format of Apache Fory.
 */
@NullMarked
package io.rpcboot.serialization.fory;

import org.jspecify.annotations.NullMarked;
