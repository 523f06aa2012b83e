/**
 * What every other package speaks of: services, methods, endpoints, statuses and the one
 * exception.
 */
@NullMarked
package io.rpcboot;

import org.jspecify.annotations.NullMarked;
