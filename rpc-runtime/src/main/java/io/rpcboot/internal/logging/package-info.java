/**
 * Loggers that limit the rate of their lines.
 */
@NullMarked
package io.rpcboot.internal.logging;

import org.jspecify.annotations.NullMarked;
