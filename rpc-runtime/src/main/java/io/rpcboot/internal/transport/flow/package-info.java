/**
 * Flow control: windows of calls and bytes that a peer granted, and their updates.
 */
@NullMarked
package io.rpcboot.internal.transport.flow;

import org.jspecify.annotations.NullMarked;
