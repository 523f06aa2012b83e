/**
 * The endpoint {@code rpc}: its paths and the reports behind them.
 */
@NullMarked
package io.rpcboot.spring.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
