/**
 * Systems whose streams are compared, and the processes that run them.
 */
@NullMarked
package io.rpcboot.benchmarks.streams;

import org.jspecify.annotations.NullMarked;
