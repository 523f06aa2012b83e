/** Server that clients of gRPC in other languages call. */
@NullMarked
package io.rpcboot.samples.interop;

import org.jspecify.annotations.NullMarked;
