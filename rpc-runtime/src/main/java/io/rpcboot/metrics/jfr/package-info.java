/**
 * Reports to the JDK's Flight Recorder.
 */
@NullMarked
package io.rpcboot.metrics.jfr;

import org.jspecify.annotations.NullMarked;
