/**
 * Life of a server: advertised address, registration, graceful shutdown, gauges.
 */
@NullMarked
package io.rpcboot.internal.server.lifecycle;

import org.jspecify.annotations.NullMarked;
