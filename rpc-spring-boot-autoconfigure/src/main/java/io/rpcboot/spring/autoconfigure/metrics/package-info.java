/**
 * Auto-configuration of metrics, history and flight recorder.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
