/**
 * The systems that are compared, each with its server and its client.
 */
@NullMarked
package io.rpcboot.benchmarks.system;

import org.jspecify.annotations.NullMarked;
