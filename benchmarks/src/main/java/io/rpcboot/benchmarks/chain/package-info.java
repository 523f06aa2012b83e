/**
 * Calls from process to process when the first caller gives up.
 */
@NullMarked
package io.rpcboot.benchmarks.chain;

import org.jspecify.annotations.NullMarked;
