/**
 * Reports to Micrometer.
 */
@NullMarked
package io.rpcboot.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
