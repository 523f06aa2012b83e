/**
 * JSON documents of the endpoint {@code rpc}.
 */
@NullMarked
package io.rpcboot.spring.actuate.descriptor;

import org.jspecify.annotations.NullMarked;
