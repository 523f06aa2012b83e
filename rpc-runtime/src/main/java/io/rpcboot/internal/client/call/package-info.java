/**
 * One call: its state, result, failure and metadata, and what it needs of the transport
 * and of its reference.
 */
@NullMarked
package io.rpcboot.internal.client.call;

import org.jspecify.annotations.NullMarked;
