/**
 * Memory of streams that flow slowly or not at all, and single calls beside them.
 */
@NullMarked
package io.rpcboot.benchmarks.flat;

import org.jspecify.annotations.NullMarked;
