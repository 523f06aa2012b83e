/**
 * Observations of calls with Micrometer, from which traces are made. Uses the engine's
 * public API and the condition on properties; no package uses it, and only it may use
 * Micrometer's Observation and Tracing, so that tracing stays optional. A failure of a
 * convention or handler never fails a call.
 */
@NullMarked
package io.rpcboot.spring.observation;

import org.jspecify.annotations.NullMarked;
