/**
 * Further attempts of a call: retries after a failure and hedges of a slow one.
 */
@NullMarked
package io.rpcboot.internal.client.retry;

import org.jspecify.annotations.NullMarked;
