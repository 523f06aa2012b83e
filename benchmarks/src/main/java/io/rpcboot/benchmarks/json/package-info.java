/**
 * JSON over HTTP by Netty and Jackson and nothing else.
 */
@NullMarked
package io.rpcboot.benchmarks.json;

import org.jspecify.annotations.NullMarked;
