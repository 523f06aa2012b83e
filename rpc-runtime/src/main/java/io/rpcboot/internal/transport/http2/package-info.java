/**
 * HTTP/2 on a connection: the handler of received bytes, the windows of what is sent, and
 * the streams whose DATA waits for them. Both sides build on it; knows no calls.
 */
@NullMarked
package io.rpcboot.internal.transport.http2;

import org.jspecify.annotations.NullMarked;
