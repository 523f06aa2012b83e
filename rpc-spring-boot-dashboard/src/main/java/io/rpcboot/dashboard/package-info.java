/**
 * The dashboard: a page that Actuator serves beside the endpoint {@code rpc}, which it
 * reads.
 */
@NullMarked
package io.rpcboot.dashboard;

import org.jspecify.annotations.NullMarked;
