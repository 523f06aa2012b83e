/**
 * Events of the JDK's Flight Recorder for slow calls, streams and connections. An
 * application passes {@link io.rpcboot.metrics.jfr.JfrRpcMetrics} to clients and servers;
 * the package depends on {@code metrics} only. Without a recording no event is created.
 */
@NullMarked
package io.rpcboot.metrics.jfr;

import org.jspecify.annotations.NullMarked;
