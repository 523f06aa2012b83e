/**
 * What the engine reports, behind a small interface with a no-op.
 */
@NullMarked
package io.rpcboot.metrics;

import org.jspecify.annotations.NullMarked;
