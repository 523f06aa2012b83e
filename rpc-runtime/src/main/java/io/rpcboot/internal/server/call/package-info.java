/**
 * One call at the server: run it, answer it, fail it.
 */
@NullMarked
package io.rpcboot.internal.server.call;

import org.jspecify.annotations.NullMarked;
