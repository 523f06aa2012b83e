/** Arithmetic of limits, without calls, threads and clocks. */
@NullMarked
package io.rpcboot.internal.limit;

import org.jspecify.annotations.NullMarked;
