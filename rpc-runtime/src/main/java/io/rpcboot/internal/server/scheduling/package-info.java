/**
 * Scheduling of calls: which call runs next, and how many run.
 */
@NullMarked
package io.rpcboot.internal.server.scheduling;

import org.jspecify.annotations.NullMarked;
