/**
 * Auto-configuration of metrics: meters of Micrometer, history and Flight Recorder. Uses
 * {@code properties}; {@code client}, {@code server} and the endpoint use it. The engine
 * reports to all {@code RpcMetrics} beans; each of them is optional.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
