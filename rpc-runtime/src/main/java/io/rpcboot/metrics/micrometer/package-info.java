/**
 * Meters of Micrometer for calls, connections, memory and instances. An application
 * passes {@link io.rpcboot.metrics.micrometer.MicrometerRpcMetrics} to clients and
 * servers; the package depends on {@code metrics} only. Meters are resolved once, the
 * number of tags is bounded, and a failing registry costs no call.
 */
@NullMarked
package io.rpcboot.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
